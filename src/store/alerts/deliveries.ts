/** Claims deliveries for an attempt, and records the result of the attempt. `incidents/writes.ts` creates deliveries. */
import type { AttemptTrace } from '../../domain/alert/attempt.ts'
import type { Recipient } from '../../domain/alert/concurrency-limit.ts'
import type { Delivery, DeliveryResult } from '../../domain/alert/delivery.ts'
import { type Channel, followMove } from '../../domain/channel/channel.ts'
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import { inBatches } from '../../lib/work/batches.ts'
import { changeChannel, findChannels, recordOutcome } from '../channels/channels.ts'
import { wakeOthers } from '../channels/held-deliveries.ts'
import type { ClaimedOrder, ClaimRules, LateFailure, Lease } from '../interface/deliveries.ts'
import type { Sql } from '../sql/database.ts'
import { instantOrNull } from '../sql/rows.ts'
import { DELIVERIES } from '../tables/alerts.ts'
import { recordAttempts } from './attempts.ts'
import { type LastPings, loadOrder } from './delivery-stories.ts'
import { claimTogether, dropEnded, findEnded, haveWaited, holdDue, PROJECT_OF_DELIVERY } from './quiet-hours.ts'

/** The project and check of an alert that was changed. */
export interface ChangedAlert {
  readonly projectId: string
  readonly checkId: string
}

/** Maximum number of due deliveries that are read one by one. If more are due, they are read by channel. */
const FEW_DUE = 128

/**
 * Selects the channels of the first $2 due deliveries, longest overdue first, with the number of these deliveries. The list is complete if
 * fewer than $2 deliveries are due.
 */
export const FEW_DUE_CHANNELS = `
  SELECT channels.id AS channel_id, channels.host, COUNT(*) AS due
  FROM (
    SELECT channel_id, next_attempt_at FROM deliveries WHERE state = 'pending' AND next_attempt_at <= $1
    ORDER BY next_attempt_at LIMIT $2
  ) AS earliest JOIN channels ON channels.id = earliest.channel_id
  GROUP BY channels.id, channels.host
  ORDER BY MIN(earliest.next_attempt_at)`

const QUEUED = 'deliveries WHERE next_attempt_at IS NOT NULL'
const DUE_OF_QUEUE = 'deliveries WHERE channel_id = queues.channel_id AND next_attempt_at <= $1'

/**
 * Selects all channels with due deliveries, longest overdue first. Does one index seek per channel, no matter how many deliveries the
 * channel has.
 */
export const MANY_DUE_CHANNELS = `
  WITH RECURSIVE queues (channel_id) AS (
    SELECT MIN(channel_id) FROM ${QUEUED}
    UNION ALL
    SELECT (SELECT MIN(channel_id) FROM ${QUEUED} AND channel_id > queues.channel_id)
    FROM queues WHERE queues.channel_id IS NOT NULL
  )
  SELECT channels.id AS channel_id, channels.host
  FROM queues JOIN channels ON channels.id = queues.channel_id
  WHERE EXISTS (SELECT 1 FROM ${DUE_OF_QUEUE})
  ORDER BY (SELECT MIN(next_attempt_at) FROM ${DUE_OF_QUEUE})`

/** The result of a claim. */
interface Claimed {
  readonly orders: ClaimedOrder[]
  /** alerts that are now held until quiet hours end */
  readonly changed: readonly ChangedAlert[]
  /** deliveries that need not be sent after quiet hours: the caller drops them with {@link dropDeliveries}, in a transaction of its own */
  readonly ended: readonly Delivery[]
}

/** Number of channels whose deliveries are claimed at a time. */
const CHANNELS_AT_ONCE = 8
/** Number of changed deliveries after which a claim leaves the remaining channels to the next claim. */
const CHANGED_ENOUGH = 1_000

/**
 * Claims due deliveries. No other caller can claim them until `leaseEndsAt`. After that they are due again, so none is lost in a crash. A
 * check's flips reach each channel in order. A delivery that is due during its channel's quiet hours is held until they end.
 */
export async function claimDeliveries(
  sql: Sql,
  now: Instant,
  leaseEndsAt: Instant,
  rules: ClaimRules,
): Promise<Claimed> {
  const chosen = await readChosen(sql, rules.choose(await listDueChannels(sql, now)), now)
  const claims: Claim[] = []
  for (const channels of inBatches(chosen, CHANNELS_AT_ONCE)) {
    const count = claims.reduce(
      (sum, { deliveries, changed, ended }) => sum + deliveries.length + changed.length + ended.length,
      0,
    )
    if (count >= CHANGED_ENOUGH) break
    claims.push(...(await claimSome(sql, channels, { now, leaseEndsAt, rules })))
  }
  const lastPings: LastPings = new Map()
  const orders = await Promise.all(
    claims.map(async ({ channel, deliveries: [first, ...joined] }): Promise<ClaimedOrder | null> => {
      const order = first ? await loadOrder(sql, first, channel, { lastPings, now }) : null
      return order && { ...order, joined }
    }),
  )
  return {
    orders: orders.filter((order) => order !== null),
    changed: claims.flatMap(({ changed }) => changed),
    ended: claims.flatMap(({ ended }) => ended),
  }
}

/** Maximum number of checks whose deliveries one transaction drops, so that it does not delay the pings of these checks. */
const CHECKS_IN_DROP = 100

/** Divides deliveries for {@link dropDeliveries}. All deliveries of a check to a channel are in the same batch. */
export function inDropBatches(ended: readonly Delivery[]): readonly (readonly Delivery[])[] {
  const ofChecks = [...Map.groupBy(ended, ({ checkId, channelId }) => `${checkId} ${channelId}`).values()]
  return [...inBatches(ofChecks, CHECKS_IN_DROP)].map((batch) => batch.flat())
}

/**
 * Drops deliveries that a claim found to be ended, and releases those that waited for them. It locks the deliveries' checks, which a claim
 * can't do after it has locked channels: without the lock, a concurrent flip could write a delivery that waits for a dropped one forever.
 */
export async function dropDeliveries(
  sql: Sql,
  ended: readonly Delivery[],
  now: Instant,
): Promise<{ readonly changed: readonly ChangedAlert[] }> {
  await sql.lock(
    'check',
    ended.map(({ checkId }) => checkId),
  )
  await sql.lock(
    'channel',
    ended.map(({ channelId }) => channelId),
  )
  const dropped = await dropEnded(sql, ended, now)
  await sql.runEach(
    RELEASE,
    dropped.map(({ checkId, channelId }) => [checkId, channelId]),
  )
  return { changed: dropped }
}

/**
 * Reads channels, and locks those that have quiet hours, or that have due deliveries that were held during quiet hours. An edit of a locked
 * channel is committed either before the claim or after it; an edit that comes after wakes the deliveries that the claim holds back. The
 * lock also keeps other processes from claiming deliveries that belong to the same message.
 */
async function readChosen(sql: Sql, ids: readonly string[], now: Instant): Promise<readonly Channel[]> {
  const found = (await findChannels(sql, ids)).filter((channel) => channel !== null)
  const waited = await haveWaited(sql, ids, now)
  const locked = found.filter(({ id, quietHours }) => quietHours !== null || waited.has(id)).map(({ id }) => id)
  if (locked.length === 0) return found
  await sql.lock('channel', locked)
  return (await findChannels(sql, ids)).filter((channel) => channel !== null)
}

/** The deliveries to one channel that were claimed or changed. */
interface Claim {
  readonly channel: Channel
  /** deliveries that will be sent in one message, in order; may be empty */
  readonly deliveries: readonly Delivery[]
  /** alerts that are now held */
  readonly changed: readonly ChangedAlert[]
  /** deliveries to drop */
  readonly ended: readonly Delivery[]
}

interface ClaimTerms {
  readonly now: Instant
  readonly leaseEndsAt: Instant
  readonly rules: ClaimRules
}

/** Claims the longest overdue delivery of each channel, with the deliveries that belong to the same message. */
async function claimSome(sql: Sql, channels: readonly Channel[], terms: ClaimTerms): Promise<readonly Claim[]> {
  const { now, leaseEndsAt, rules } = terms
  const holding: Claim[] = []
  const admitted: Channel[] = []
  for (const channel of channels) {
    const { held, isQuiet } = await holdDue(sql, channel, now)
    if (held.length > 0) holding.push({ channel, deliveries: [], changed: changedOf(channel, held), ended: [] })
    if (!isQuiet && rules.admits(channel)) admitted.push(channel)
  }
  const longestDue = await DELIVERIES.getEach(
    sql,
    sql.statements.claimDelivery,
    admitted.map(({ id }) => [id, toMicroseconds(now), toMicroseconds(leaseEndsAt)]),
  )
  const claims: Claim[] = []
  for (const [index, channel] of admitted.entries()) {
    const delivery = longestDue[index]
    if (delivery) claims.push({ channel, changed: [], ...(await claimedOf(sql, delivery, channel, terms)) })
  }
  return [...holding, ...claims]
}

/**
 * Adds the deliveries that were held until the end of quiet hours together with a claimed one, or finds those that no longer need to be
 * sent.
 */
async function claimedOf(
  sql: Sql,
  claimed: Delivery,
  channel: Channel,
  { now, leaseEndsAt, rules }: ClaimTerms,
): Promise<Pick<Claim, 'deliveries' | 'ended'>> {
  if (claimed.heldUntil === null) return { deliveries: [claimed], ended: [] }
  await wakeOthers(sql, channel, now)
  if (rules.joins(channel)) return { deliveries: await claimTogether(sql, claimed, now, leaseEndsAt), ended: [] }
  const ended = await findEnded(sql, claimed, now, leaseEndsAt)
  return { deliveries: ended.some(({ id }) => id === claimed.id) ? [] : [claimed], ended }
}

function changedOf({ projectId }: Channel, checkIds: readonly string[]): readonly ChangedAlert[] {
  return checkIds.map((checkId) => ({ projectId, checkId }))
}

interface DueRow {
  channel_id: string
  host: string
}

async function listDueChannels(sql: Sql, now: Instant): Promise<Recipient[]> {
  const few = await sql.all<DueRow & { due: number }>(FEW_DUE_CHANNELS, [toMicroseconds(now), FEW_DUE])
  const isAll = few.reduce((sum, { due }) => sum + due, 0) < FEW_DUE
  const rows = isAll ? few : await sql.all<DueRow>(MANY_DUE_CHANNELS, [toMicroseconds(now)])
  return rows.map(({ channel_id, host }) => ({ channelId: channel_id, host }))
}

// During a lease, the time of the next attempt is the end of the lease. The result of the attempt sets a new time.
const RENEW = `
  UPDATE deliveries SET next_attempt_at = $4 WHERE id = $1 AND attempts = $2 AND next_attempt_at = $3`

/** Extends leases, except for deliveries that were claimed again or whose attempt has ended. */
export async function renewLeases(sql: Sql, leases: readonly Lease[], endsAt: Instant): Promise<void> {
  const until = toMicroseconds(endsAt)
  await sql.runEach(
    RENEW,
    leases.map((lease) => [lease.delivery.id, lease.delivery.attempts, toMicroseconds(lease.endsAt), until]),
  )
}

// An attempt may outlive its lease and end after another one has begun, or after the delivery was cancelled. Only the newest attempt of a
// pending delivery counts. A delivery without `held_until` is sent in its own message.
const END = `
  UPDATE deliveries SET state = $3, next_attempt_at = $4, ended_at = $5, error = $6,
    held_until = CASE WHEN $3 = 'pending' AND CAST($4 AS BIGINT) IS NULL THEN NULL ELSE held_until END
  WHERE id = $1 AND attempts = $2 AND state = 'pending'
  RETURNING ${PROJECT_OF_DELIVERY}`

/**
 * Releases the next delivery of check $1 to channel $2 that is waiting for an earlier one. Does nothing if that delivery already has a due
 * time. Sets the due time to the delivery's creation time.
 */
export const RELEASE = `
  UPDATE deliveries SET next_attempt_at = created_at
  WHERE check_id = $1 AND channel_id = $2 AND state = 'pending' AND event_n = (
    SELECT MIN(event_n) FROM deliveries WHERE check_id = $1 AND channel_id = $2 AND state = 'pending'
  ) AND next_attempt_at IS NULL`

/** Selects a row if event $2 of check $1 is an acknowledgement and a later delivery to channel $3 waits for it. */
export const OVERTAKEN = `
  SELECT 1 FROM events WHERE check_id = $1 AND n = $2 AND kind = 'acknowledged' AND EXISTS (
    SELECT 1 FROM deliveries WHERE check_id = $1 AND channel_id = $3 AND event_n > $2 AND state = 'pending'
  )`

interface CountedResult extends Pick<DeliveryResult, 'state'> {
  /** null if the delivery has ended or is sent in its own message */
  readonly nextAttemptAt: Instant | null
}

/**
 * Returns the result to record for each delivery. An acknowledgement is retried only while no later delivery waits for it, because a
 * service that rejects acknowledgements must still receive the recovery.
 */
async function countedResults(
  sql: Sql,
  deliveries: readonly Delivery[],
  result: DeliveryResult,
): Promise<readonly CountedResult[]> {
  if (result.state !== 'pending') return deliveries.map(() => ({ state: result.state, nextAttemptAt: null }))
  const keys = deliveries.map(({ checkId, eventN, channelId }) => [checkId, eventN, channelId])
  const overtaken = await sql.getEach(OVERTAKEN, keys)
  return overtaken.map((row) =>
    row === null ? { state: 'pending', nextAttemptAt: result.nextAttemptAt } : { state: 'failed', nextAttemptAt: null },
  )
}

/**
 * Ends an attempt to send one message, and stores it as the newest attempt of each delivery in the message. The receiver's complete answer
 * to a failed attempt is kept until a few more attempts have followed; for a successful attempt, only the status is stored. Skips
 * deliveries that were claimed again or have ended, and those whose check was deleted. The number of round trips does not depend on the
 * number of deliveries.
 */
export async function recordDeliveries(
  sql: Sql,
  deliveries: readonly Delivery[],
  result: DeliveryResult,
  trace: AttemptTrace,
  now: Instant,
): Promise<{ readonly changed: readonly ChangedAlert[] }> {
  const [first] = deliveries
  if (first === undefined) return { changed: [] }
  const { channelId } = first
  await sql.lock(
    'check',
    deliveries.map(({ checkId }) => checkId),
  )
  await sql.lock('channel', [channelId])
  const ended = await endAttempts(sql, deliveries, result, now)
  if (ended.length === 0) return { changed: [] }
  const error = errorOf(result)
  await recordAttempts(
    sql,
    ended.map(({ id, attempts }) => ({ ...trace, deliveryId: id, n: attempts, error })),
  )
  await recordOutcome(sql, channelId, error, result.state === 'failed' && result.disablesChannel)
  const move = result.state === 'pending' ? result.move : undefined
  if (move) await changeChannel(sql, null, channelId, (channel) => ({ channel: followMove(channel, move) }))
  return { changed: ended }
}

function errorOf(result: DeliveryResult): string | null {
  return result.state === 'sent' ? null : result.error
}

type EndedAttempt = Pick<Delivery, 'id' | 'attempts'> & ChangedAlert

/**
 * Ends an attempt to send deliveries to one channel, and releases the deliveries that were waiting for them.
 * @returns the deliveries for which the attempt counts
 */
async function endAttempts(
  sql: Sql,
  deliveries: readonly Delivery[],
  result: DeliveryResult,
  now: Instant,
): Promise<readonly EndedAttempt[]> {
  const error = errorOf(result)
  const counted = await countedResults(sql, deliveries, result)
  const values = counted.map(({ state, nextAttemptAt }) => {
    return [
      state,
      nextAttemptAt && toMicroseconds(nextAttemptAt),
      state === 'pending' ? null : toMicroseconds(now),
      error,
    ]
  })
  const rows = await sql.getEach<{ project_id: string }>(
    END,
    deliveries.map(({ id, attempts }, index) => [id, attempts, ...(values[index] ?? [])]),
  )
  const ended = deliveries.flatMap(({ id, attempts, checkId, channelId }, index) => {
    const projectId = rows[index]?.project_id
    const isFree = counted[index]?.nextAttemptAt === null
    return projectId === undefined ? [] : [{ id, attempts, checkId, channelId, projectId, isFree }]
  })
  const released = new Map(ended.filter(({ isFree }) => isFree).map(({ checkId, channelId }) => [checkId, channelId]))
  await sql.runEach(RELEASE, [...released])
  return ended
}

const SENT = `
  SELECT channels.id, channels.kind, channels.project_id, deliveries.check_id FROM deliveries JOIN channels ON channels.id = deliveries.channel_id
  WHERE deliveries.id = $1 AND deliveries.state = 'sent' AND deliveries.ended_at >= $2`
const FAIL_SENT = `UPDATE deliveries SET state = 'failed', error = $2 WHERE id = $1 AND state = 'sent'`

/** Marks a sent delivery as failed, and sets its channel's last error. @returns null if there is no such sent delivery */
export async function failSentDelivery(
  sql: Sql,
  id: string,
  { error, disablesChannel, sentSince, kinds }: LateFailure,
): Promise<ChangedAlert | null> {
  const channel = await sql.get<{ id: string; kind: ChannelKind; project_id: string; check_id: string }>(SENT, [
    id,
    toMicroseconds(sentSince),
  ])
  if (!channel || !kinds.has(channel.kind)) return null
  await sql.lock('channel', [channel.id])
  if ((await sql.run(FAIL_SENT, [id, error])) === 0) return null
  await recordOutcome(sql, channel.id, error, disablesChannel)
  return { projectId: channel.project_id, checkId: channel.check_id }
}

const BEGIN_LIKE = `
  SELECT deliveries.* FROM deliveries JOIN checks ON checks.id = deliveries.check_id
  WHERE deliveries.id >= $1 AND deliveries.id < $2 ORDER BY deliveries.id LIMIT $3`
/** A character that sorts after every character in an id. */
const AFTER_ALL_IDS = '~'

/** Finds deliveries whose ids begin with `idStart`, in order of id. Omits deliveries of deleted checks. */
export function findDeliveries(sql: Sql, idStart: string, limit: number): Promise<Delivery[]> {
  return DELIVERIES.all(sql, BEGIN_LIKE, [idStart, idStart + AFTER_ALL_IDS, limit])
}

const NEXT = `SELECT MIN(next_attempt_at) AS next_attempt_at FROM deliveries WHERE state = 'pending'`

/** Returns when the next pending delivery is due; null if none is pending. */
export async function nextDeliveryAt(sql: Sql): Promise<Instant | null> {
  const row = await sql.get<{ next_attempt_at: number | null }>(NEXT, [])
  return instantOrNull(row?.next_attempt_at ?? null)
}
