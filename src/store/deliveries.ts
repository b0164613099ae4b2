/** Deliveries after they were written with their flip: claimed for an attempt, ended by its result. */
import type { Channel, ChannelKind } from '../domain/channel.ts'
import type { StoredStatus } from '../domain/check.ts'
import type { Delivery, DeliveryEntry, DeliveryOrder, DeliveryResult, DeliveryState } from '../domain/delivery.ts'
import { type DueChannel, SEATS } from '../domain/seats.ts'
import { type Instant, toMicroseconds } from '../domain/time.ts'
import { findChannel, recordOutcome } from './channels.ts'
import { findCheck, findSiblings } from './checks.ts'
import type { Sql } from './database.ts'
import { findFlip } from './flips.ts'
import { findPingAsOf } from './log.ts'
import { findProject } from './projects.ts'
import { type DeliveryRow, instantOrNull, toDelivery } from './rows.ts'
import type { ClaimRules, Lease } from './store.ts'

/** More due deliveries than that are not read one by one, but channel by channel. */
const FEW_DUE = 512

/** What is due, by channel, longest due first; complete when it counts fewer than $2. */
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

/** The same from one seek in the index for each channel that waits, however many deliveries wait behind its first. */
export const MANY_DUE_CHANNELS = `
  WITH RECURSIVE queues (channel_id) AS (
    SELECT MIN(channel_id) FROM ${QUEUED}
    UNION ALL
    SELECT (SELECT MIN(channel_id) FROM ${QUEUED} AND channel_id > queues.channel_id)
    FROM queues WHERE queues.channel_id IS NOT NULL
  )
  SELECT channels.id AS channel_id, channels.host,
    (SELECT COUNT(*) FROM (SELECT 1 FROM ${DUE_OF_QUEUE} LIMIT $2) AS counted) AS due
  FROM queues JOIN channels ON channels.id = queues.channel_id
  WHERE EXISTS (SELECT 1 FROM ${DUE_OF_QUEUE})
  ORDER BY (SELECT MIN(next_attempt_at) FROM ${DUE_OF_QUEUE})`

// The second condition of time makes it a claim where two may look at once.
export const CLAIM = `
  UPDATE deliveries SET attempts = attempts + 1, next_attempt_at = $3
  WHERE id = (
    SELECT id FROM deliveries WHERE channel_id = $1 AND next_attempt_at <= $2 ORDER BY next_attempt_at LIMIT 1
  ) AND next_attempt_at <= $2
  RETURNING *`

export async function claimDeliveries(
  sql: Sql,
  now: Instant,
  leaseEndsAt: Instant,
  rules: ClaimRules,
): Promise<DeliveryOrder[]> {
  const orders: DeliveryOrder[] = []
  for (const channelId of rules.choose(await listDueChannels(sql, now))) {
    const channel = await findChannel(sql, channelId)
    if (!channel || !rules.admits(channel)) continue
    const row = await sql.get<DeliveryRow>(CLAIM, [channelId, toMicroseconds(now), toMicroseconds(leaseEndsAt)])
    const order = row && (await loadOrder(sql, toDelivery(row), channel))
    if (order) orders.push(order)
  }
  return orders
}

interface DueRow {
  channel_id: string
  host: string
  due: number
}

async function listDueChannels(sql: Sql, now: Instant): Promise<DueChannel[]> {
  let rows = await sql.all<DueRow>(FEW_DUE_CHANNELS, [toMicroseconds(now), FEW_DUE])
  if (rows.reduce((sum, { due }) => sum + due, 0) === FEW_DUE) {
    rows = await sql.all<DueRow>(MANY_DUE_CHANNELS, [toMicroseconds(now), SEATS.perChannel])
  }
  return rows.map(({ channel_id, host, due }) => ({ channelId: channel_id, host, due }))
}

// While a lease runs it is the time of the next attempt; the result of an attempt has another one.
const RENEW = `
  UPDATE deliveries SET next_attempt_at = $4 WHERE id = $1 AND attempts = $2 AND next_attempt_at = $3`

export async function renewLeases(sql: Sql, leases: readonly Lease[], endsAt: Instant): Promise<void> {
  const until = toMicroseconds(endsAt)
  await sql.runEach(
    RENEW,
    leases.map((lease) => [lease.delivery.id, lease.delivery.attempts, toMicroseconds(lease.endsAt), until]),
  )
}

/** Check and flip are foreign keys of the delivery, so null means that the database is damaged. */
async function loadOrder(sql: Sql, delivery: Delivery, channel: Channel): Promise<DeliveryOrder | null> {
  const found = await findCheck(sql, delivery.checkId)
  const flip = await findFlip(sql, delivery.checkId, delivery.flipN)
  if (!found || !flip) return null
  const project = await findProject(sql, found.check.projectId)
  return {
    delivery,
    channel,
    check: { ...found.check, status: flip.newStatus },
    channelIds: found.channelIds,
    flip,
    previousFlip: await findFlip(sql, delivery.checkId, flip.n - 1),
    lastPing: await findPingAsOf(sql, delivery.checkId, flip.createdAt),
    projectName: project?.name ?? '',
    siblings: await findSiblings(sql, found.check),
  }
}

// An attempt that outlived its lease may end after another one has begun; only the newest attempt counts.
const END = `
  UPDATE deliveries SET state = $3, next_attempt_at = $4, ended_at = $5, error = $6 WHERE id = $1 AND attempts = $2`

// The next flip of the check, for the same channel, has waited for this one.
const RELEASE = `
  UPDATE deliveries SET next_attempt_at = $3
  WHERE check_id = $1 AND channel_id = $2 AND state = 'pending' AND flip_n = (
    SELECT MIN(flip_n) FROM deliveries WHERE check_id = $1 AND channel_id = $2 AND state = 'pending'
  )`

export async function recordDelivery(
  sql: Sql,
  delivery: Delivery,
  result: DeliveryResult,
  now: Instant,
): Promise<void> {
  const error = result.state === 'sent' ? null : result.error
  const nextAttemptAt = result.state === 'pending' ? toMicroseconds(result.nextAttemptAt) : null
  const endedAt = result.state === 'pending' ? null : toMicroseconds(now)
  const ended = await sql.run(END, [delivery.id, delivery.attempts, result.state, nextAttemptAt, endedAt, error])
  if (ended === 0) return
  if (endedAt !== null) await sql.run(RELEASE, [delivery.checkId, delivery.channelId, endedAt])
  const disables = result.state === 'failed' && result.disablesChannel
  await recordOutcome(sql, delivery.channelId, error, disables)
  if (result.state === 'pending' && result.channelSettings !== undefined) {
    const settings = JSON.stringify(result.channelSettings)
    await sql.run('UPDATE channels SET settings = $2 WHERE id = $1', [delivery.channelId, settings])
  }
}

const FAIL_SENT = `
  UPDATE deliveries SET state = 'failed', error = $2 WHERE id = $1 AND state = 'sent' AND ended_at >= $3
  RETURNING channel_id`

export async function failSentDelivery(
  sql: Sql,
  id: string,
  { error, disablesChannel }: { readonly error: string; readonly disablesChannel: boolean },
  sentSince: Instant,
): Promise<boolean> {
  const row = await sql.get<{ channel_id: string }>(FAIL_SENT, [id, error, toMicroseconds(sentSince)])
  if (row) await recordOutcome(sql, row.channel_id, error, disablesChannel)
  return row !== null
}

const NEXT = `SELECT MIN(next_attempt_at) AS next_attempt_at FROM deliveries WHERE state = 'pending'`

export async function nextDeliveryAt(sql: Sql): Promise<Instant | null> {
  const row = await sql.get<{ next_attempt_at: number | null }>(NEXT, [])
  return instantOrNull(row?.next_attempt_at ?? null)
}

const LIST = `
  SELECT deliveries.*, flips.new_status, checks.name AS check_name, channels.name AS channel_name,
    channels.kind AS channel_kind
  FROM checks
    JOIN deliveries ON deliveries.check_id = checks.id
    JOIN flips ON flips.check_id = deliveries.check_id AND flips.n = deliveries.flip_n
    JOIN channels ON channels.id = deliveries.channel_id
  WHERE checks.project_id = $1 AND ($2 IS NULL OR deliveries.state = $2)
  ORDER BY deliveries.created_at DESC, deliveries.flip_n DESC LIMIT $3`

type ListedRow = DeliveryRow & {
  new_status: StoredStatus
  check_name: string
  channel_name: string
  channel_kind: ChannelKind
  next_attempt_at: number | null
  ended_at: number | null
  error: string | null
}

export async function listDeliveries(
  sql: Sql,
  projectId: string,
  state: DeliveryState | null,
  limit: number,
): Promise<DeliveryEntry[]> {
  const rows = await sql.all<ListedRow>(LIST, [projectId, state, limit])
  return rows.map((row) => ({
    delivery: toDelivery(row),
    status: row.new_status,
    checkName: row.check_name,
    channelName: row.channel_name,
    channelKind: row.channel_kind,
    nextAttemptAt: instantOrNull(row.next_attempt_at),
    endedAt: instantOrNull(row.ended_at),
    error: row.error,
  }))
}
