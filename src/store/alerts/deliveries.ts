/** Deliveries, once `flips.ts` has written them: claimed for an attempt, ended by its result. */
import type { Advice } from '../../domain/advice/advice.ts'
import type { AttemptTrace } from '../../domain/alert/attempt.ts'
import type { Recipient } from '../../domain/alert/concurrency-limit.ts'
import type { Delivery, DeliveryOrder, DeliveryResult } from '../../domain/alert/delivery.ts'
import type { LastPing } from '../../domain/alert/flip-context.ts'
import { adviceOfAlert, EQUAL_ALERTS } from '../../domain/alert/repeated-alert.ts'
import { NOTHING_UNCOUNTED, type Uncounted } from '../../domain/cause/uncounted.ts'
import { type Channel, followMove } from '../../domain/channel/channel.ts'
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import type { Flip } from '../../domain/check/flip.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import { findAdvice } from '../advice/looks.ts'
import { changeChannel, findChannels, recordOutcome } from '../channels/channels.ts'
import { findCheck, findSiblings } from '../checks/checks.ts'
import { findPreviousFlip, findToldDowns, isNewestFlip } from '../checks/flips.ts'
import type { ClaimRules, LateFailure, Lease } from '../interface/deliveries.ts'
import { findLastPing } from '../pings/log.ts'
import { listRefused, listUncounted } from '../pings/uncounted.ts'
import { findProject } from '../projects/projects.ts'
import type { Sql } from '../sql/database.ts'
import { instantOrNull } from '../sql/rows.ts'
import { DELIVERIES } from '../tables/alerts.ts'
import { recordAttempt } from './attempts.ts'
import { findIncidentStory, findToldEvent } from './incident-stories.ts'

/** The project and check of a changed alert. */
export interface ChangedAlert {
  readonly projectId: string
  readonly checkId: string
}

/** Most due deliveries that are read one by one; more are read by channel. */
const FEW_DUE = 128

/** Due deliveries by channel, longest due first. All of them if they are fewer than $2. */
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

/** Does the same with one index seek for each channel, regardless of its number of deliveries. */
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

/**
 * Claims due deliveries. Nobody else can claim them until `leaseEndsAt`; then they are due again, so that a crash loses none. The flips of
 * a check reach a channel in order.
 */
export async function claimDeliveries(
  sql: Sql,
  now: Instant,
  leaseEndsAt: Instant,
  rules: ClaimRules,
): Promise<DeliveryOrder[]> {
  const chosen = rules.choose(await listDueChannels(sql, now))
  const channels = (await findChannels(sql, chosen))
    .filter((channel) => channel !== null)
    .filter((channel) => rules.admits(channel))
  const deliveries = await DELIVERIES.getEach(
    sql,
    sql.statements.claimDelivery,
    channels.map(({ id }) => [id, toMicroseconds(now), toMicroseconds(leaseEndsAt)]),
  )
  const lastPings: LastPings = new Map()
  const orders = await Promise.all(
    channels.map((channel, index) => {
      const delivery = deliveries[index]
      return delivery ? loadOrder(sql, delivery, channel, { lastPings, now }) : null
    }),
  )
  return orders.filter((order) => order !== null)
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

// During a lease, its end is the time of the next attempt; the result of an attempt sets another time.
const RENEW = `
  UPDATE deliveries SET next_attempt_at = $4 WHERE id = $1 AND attempts = $2 AND next_attempt_at = $3`

/** Extends leases, except those that were claimed again and those whose attempt has ended. */
export async function renewLeases(sql: Sql, leases: readonly Lease[], endsAt: Instant): Promise<void> {
  const until = toMicroseconds(endsAt)
  await sql.runEach(
    RENEW,
    leases.map((lease) => [lease.delivery.id, lease.delivery.attempts, toMicroseconds(lease.endsAt), until]),
  )
}

/** Last pings by check and flip, so that the ping of a flip is loaded once for all channels. */
type LastPings = Map<string, Promise<LastPing | null>>

/** @returns null if the check or the flip is missing, which happens only in a damaged database */
async function loadOrder(
  sql: Sql,
  delivery: Delivery,
  channel: Channel,
  at: { readonly lastPings: LastPings; readonly now: Instant },
): Promise<DeliveryOrder | null> {
  const story = await loadStory(sql, delivery, at)
  return story && { delivery, channel, ...story }
}

type Story = Omit<DeliveryOrder, 'delivery' | 'channel'>

/** Returns a message's facts about an event; null: there is no such event, or no such check. */
export function findStory(sql: Sql, named: Pick<Delivery, 'checkId' | 'eventN'>, now: Instant): Promise<Story | null> {
  return loadStory(sql, named, { lastPings: new Map(), now })
}

async function loadStory(
  sql: Sql,
  named: Pick<Delivery, 'checkId' | 'eventN'>,
  { lastPings, now }: { readonly lastPings: LastPings; readonly now: Instant },
): Promise<Story | null> {
  const [found, told] = await Promise.all([findCheck(sql, named.checkId), findToldEvent(sql, named)])
  if (!found || !told) return null
  const { flip, taken } = told
  const [previousFlip, isNewest, project, lastPing, uncounted, siblings, advice] = await Promise.all([
    findPreviousFlip(sql, flip.checkId, flip.n),
    isNewestFlip(sql, flip.checkId, flip.n),
    findProject(sql, found.check.projectId),
    lastPingBefore(sql, flip, lastPings),
    uncountedAt(sql, flip),
    findSiblings(sql, found.check),
    adviceAbout(sql, flip, now),
  ])
  const incident = await findIncidentStory(sql, found.check, flip, previousFlip)
  return {
    check: { ...found.check, status: flip.newStatus },
    channelIds: found.channelIds,
    flip,
    previousFlip,
    isNewest,
    incident,
    taken,
    lastPing,
    uncounted,
    projectName: project?.name ?? '',
    projectTz: project?.tz ?? null,
    siblings,
    advice,
  }
}

/** Returns the advice to mention. Most alerts are about a check without any. */
async function adviceAbout(sql: Sql, flip: Flip, now: Instant): Promise<Advice | null> {
  const stored = flip.newStatus === 'down' ? await findAdvice(sql, flip.checkId) : null
  if (stored === null || stored.kind === null) return null
  return adviceOfAlert(await findToldDowns(sql, flip, EQUAL_ALERTS), stored, now.epochMilliseconds)
}

/** Returns pings that did not count. They matter only if the check went down by a timeout. */
async function uncountedAt(sql: Sql, { checkId, reason, createdAt }: Flip): Promise<Uncounted> {
  if (reason !== 'timeout') return NOTHING_UNCOUNTED
  const [pings, refused] = await Promise.all([
    listUncounted(sql, [checkId], createdAt),
    listRefused(sql, [checkId], createdAt),
  ])
  return { pings: pings.get(checkId) ?? null, refused: refused.get(checkId) ?? null }
}

function lastPingBefore(sql: Sql, flip: Flip, lastPings: LastPings): Promise<LastPing | null> {
  const key = `${flip.checkId} ${flip.n}`
  const known = lastPings.get(key)
  if (known) return known
  const ping = findLastPing(sql, flip.checkId, flip.createdAt)
  lastPings.set(key, ping)
  return ping
}

// An attempt may outlive its lease and end after another one has begun, or after the delivery was cancelled; only the newest attempt of a
// pending delivery counts.
const END = `
  UPDATE deliveries SET state = $3, next_attempt_at = $4, ended_at = $5, error = $6
  WHERE id = $1 AND attempts = $2 AND state = 'pending'
  RETURNING (SELECT project_id FROM channels WHERE channels.id = deliveries.channel_id) AS project_id`

/** Releases the check's next flip for this channel, which has waited for this one. It is due since it was created. */
export const RELEASE = `
  UPDATE deliveries SET next_attempt_at = created_at
  WHERE check_id = $1 AND channel_id = $2 AND state = 'pending' AND event_n = (
    SELECT MIN(event_n) FROM deliveries WHERE check_id = $1 AND channel_id = $2 AND state = 'pending'
  )`

/** An acknowledgement, event $2 of check $1, behind which something waits for channel $3. */
export const OVERTAKEN = `
  SELECT 1 FROM events WHERE check_id = $1 AND n = $2 AND kind = 'acknowledged' AND EXISTS (
    SELECT 1 FROM deliveries WHERE check_id = $1 AND channel_id = $3 AND event_n > $2 AND state = 'pending'
  )`

/**
 * The result as it counts. An acknowledgement is tried again only while nothing newer waits behind it: a service that does not take it
 * must hear of the recovery all the same.
 */
async function countedResult(
  sql: Sql,
  { checkId, eventN, channelId }: Delivery,
  result: DeliveryResult,
): Promise<Pick<DeliveryResult, 'state'> & { readonly nextAttemptAt: Instant | null }> {
  if (result.state !== 'pending') return { state: result.state, nextAttemptAt: null }
  const isOvertaken = (await sql.get(OVERTAKEN, [checkId, eventN, channelId])) !== null
  return isOvertaken
    ? { state: 'failed', nextAttemptAt: null }
    : { state: 'pending', nextAttemptAt: result.nextAttemptAt }
}

/**
 * Ends an attempt, and stores it with the newest of its delivery: its whole answer until some others have followed, only its status if it
 * succeeded. Does nothing if the delivery was claimed again or ended since, or its check was deleted.
 */
export async function recordDelivery(
  sql: Sql,
  delivery: Delivery,
  result: DeliveryResult,
  trace: AttemptTrace,
  now: Instant,
): Promise<ChangedAlert | null> {
  const error = result.state === 'sent' ? null : result.error
  await sql.lock('check', [delivery.checkId])
  await sql.lock('channel', [delivery.channelId])
  const { state, nextAttemptAt } = await countedResult(sql, delivery, result)
  const endedAt = state === 'pending' ? null : toMicroseconds(now)
  const next = nextAttemptAt && toMicroseconds(nextAttemptAt)
  const values = [delivery.id, delivery.attempts, state, next, endedAt, error]
  const ended = await sql.get<{ project_id: string }>(END, values)
  if (!ended) return null
  await recordAttempt(sql, delivery.id, { ...trace, n: delivery.attempts, error })
  if (endedAt !== null) await sql.run(RELEASE, [delivery.checkId, delivery.channelId])
  const disables = result.state === 'failed' && result.disablesChannel
  await recordOutcome(sql, delivery.channelId, error, disables)
  const move = result.state === 'pending' ? result.move : undefined
  if (move) {
    await changeChannel(sql, null, delivery.channelId, (channel) => ({ channel: followMove(channel, move) }))
  }
  return { projectId: ended.project_id, checkId: delivery.checkId }
}

const SENT = `
  SELECT channels.id, channels.kind, channels.project_id, deliveries.check_id FROM deliveries JOIN channels ON channels.id = deliveries.channel_id
  WHERE deliveries.id = $1 AND deliveries.state = 'sent' AND deliveries.ended_at >= $2`
const FAIL_SENT = `UPDATE deliveries SET state = 'failed', error = $2 WHERE id = $1 AND state = 'sent'`

/** Turns a sent delivery into a failed one, and sets the last error of its channel. @returns false if no sent delivery matches */
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
/** A text that sorts after every character of an id. */
const AFTER_DIGITS = '~'

/** Finds deliveries whose ids begin with `idStart`, in order of id; none of deleted checks. */
export function findDeliveries(sql: Sql, idStart: string, limit: number): Promise<Delivery[]> {
  return DELIVERIES.all(sql, BEGIN_LIKE, [idStart, idStart + AFTER_DIGITS, limit])
}

const NEXT = `SELECT MIN(next_attempt_at) AS next_attempt_at FROM deliveries WHERE state = 'pending'`

/** Returns when the next pending delivery is due; null if none is pending. */
export async function nextDeliveryAt(sql: Sql): Promise<Instant | null> {
  const row = await sql.get<{ next_attempt_at: number | null }>(NEXT, [])
  return instantOrNull(row?.next_attempt_at ?? null)
}
