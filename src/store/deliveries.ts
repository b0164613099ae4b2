/** Deliveries after they were written with their flip: claimed for an attempt, ended by its result. */
import type { ChannelKind } from '../domain/channel.ts'
import type { StoredStatus } from '../domain/check.ts'
import type { Delivery, DeliveryEntry, DeliveryOrder, DeliveryResult, DeliveryState } from '../domain/delivery.ts'
import { type Instant, toMicroseconds } from '../domain/time.ts'
import { findChannel } from './channels.ts'
import { findCheck, findSiblings } from './checks.ts'
import type { Sql } from './database.ts'
import { findFlip } from './flips.ts'
import { findPingAsOf } from './log.ts'
import { findProject } from './projects.ts'
import { type DeliveryRow, instantOrNull, toDelivery } from './rows.ts'
import type { ClaimLimits } from './store.ts'

/** @param busy how many channels are left out */
const claim = (busy: number) => `
  UPDATE deliveries SET attempts = attempts + 1, next_attempt_at = $2
  WHERE id IN (
    SELECT id FROM (
      SELECT id, next_attempt_at,
        ROW_NUMBER() OVER (PARTITION BY channel_id ORDER BY next_attempt_at, created_at) AS place
      FROM deliveries
      WHERE state = 'pending' AND next_attempt_at <= $1${exceptChannels(busy)}
    ) AS due
    WHERE place <= $4
    ORDER BY next_attempt_at LIMIT $3
  )
  RETURNING *`

function exceptChannels(count: number): string {
  if (count === 0) return ''
  return ` AND channel_id NOT IN (${Array.from({ length: count }, (_, index) => `$${index + 5}`).join(', ')})`
}

export async function claimDeliveries(
  sql: Sql,
  now: Instant,
  leaseEndsAt: Instant,
  { total, perChannel, busyChannels }: ClaimLimits,
): Promise<DeliveryOrder[]> {
  const values = [toMicroseconds(now), toMicroseconds(leaseEndsAt), total, perChannel, ...busyChannels]
  const rows = await sql.all<DeliveryRow>(claim(busyChannels.length), values)
  const orders: DeliveryOrder[] = []
  for (const row of rows) {
    const order = await loadOrder(sql, toDelivery(row))
    if (order) orders.push(order)
  }
  return orders
}

/** Check, flip and channel are foreign keys of the delivery, so null means that the database is damaged. */
async function loadOrder(sql: Sql, delivery: Delivery): Promise<DeliveryOrder | null> {
  const channel = await findChannel(sql, delivery.channelId)
  const found = await findCheck(sql, delivery.checkId)
  const flip = await findFlip(sql, delivery.checkId, delivery.flipN)
  if (!channel || !found || !flip) return null
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
  await sql.run('UPDATE channels SET last_error = $2 WHERE id = $1', [delivery.channelId, error])
  if (result.state === 'failed' && result.disablesChannel) {
    await sql.run('UPDATE channels SET disabled_reason = $2 WHERE id = $1', [delivery.channelId, error])
  }
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
