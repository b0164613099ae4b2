/** Lists and counts deliveries. */

import {
  CANCELLED,
  type Delivery,
  type DeliveryCounts,
  type DeliveryEntry,
  type DeliveryKey,
  type DeliveryState,
} from '../../domain/alert/delivery.ts'
import { AFTER_ALL_IDS, LIST_ORDER } from '../../domain/alert/delivery-list.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import { newestFlip } from '../checks/flips.ts'
import type { DeliveryFilter, DeliveryPage, DeliveryPlace, NamedFlip } from '../interface/deliveries.ts'
import { columns, flag, instant, orNull, type Row, text, word } from '../sql/columns.ts'
import type { Sql } from '../sql/database.ts'
import type { Value } from '../sql/value.ts'
import { DELIVERIES } from '../tables/alerts.ts'

/** Returns an SQL condition that is true if the check has been down since its event `n`. */
const isOpen = (n: string) => `
  CASE WHEN checks.status = 'down' AND NOT EXISTS (
    SELECT 1 FROM events AS later WHERE later.check_id = checks.id AND later.n > ${n} AND later.kind = 'flip'
  ) THEN 1 ELSE 0 END AS is_open`

/** SQL for a flip's new status, or for the event's kind if it is not a flip. */
const STATUS = 'COALESCE(events.new_status, events.kind) AS status'

// A transferred check has deliveries to channels of its former project, which members of its new project must not see.
const ENTRIES = `
  SELECT deliveries.*, ${STATUS}, ${isOpen('deliveries.event_n')}, checks.name AS check_name,
    checks.public_id AS check_public_id, channels.name AS channel_name,
    channels.kind AS channel_kind
  FROM checks
    JOIN deliveries ON deliveries.check_id = checks.id
    JOIN events ON events.check_id = deliveries.check_id AND events.n = deliveries.event_n
    JOIN channels ON channels.id = deliveries.channel_id AND channels.project_id = $1
  WHERE checks.project_id = $1`

const LIST = `${ENTRIES} AND (deliveries.state = $2 OR $2 IS NULL)
  ORDER BY deliveries.created_at DESC, deliveries.event_n DESC LIMIT $3`
/** Selects the deliveries of flip $3, or of the newest flip if $3 is null. */
export const LIST_OF_FLIP = `${ENTRIES}
  AND deliveries.check_id = $2 AND deliveries.event_n = COALESCE($3, ${newestFlip('$2')})
  ORDER BY channels.created_at`

const LISTED = columns<DeliveryEntry>({
  delivery: DELIVERIES,
  status: word(),
  isOpen: flag,
  checkName: text,
  checkPublicId: text,
  channelName: text,
  channelKind: word(),
  nextAttemptAt: orNull(instant),
  endedAt: orNull(instant),
  error: orNull(text),
})

/** Lists a project's deliveries, newest first. @param state null for all states */
export function listDeliveries(
  sql: Sql,
  projectId: string,
  state: DeliveryState | null,
  limit: number,
): Promise<DeliveryEntry[]> {
  return LISTED.all(sql, LIST, [projectId, state, limit])
}

/**
 * Lists the deliveries of some flips of a project's checks, in the order of `flips` and then of the channels. If a check was transferred,
 * leaves out deliveries to channels of its former project. Pass only a few flips at a time.
 */
export async function listDeliveriesOfFlips(
  sql: Sql,
  projectId: string,
  flips: readonly NamedFlip[],
): Promise<DeliveryEntry[]> {
  const entries: DeliveryEntry[] = []
  for (const { checkId, n } of flips) {
    entries.push(...(await LISTED.all(sql, LIST_OF_FLIP, [projectId, checkId, n])))
  }
  return entries
}

const FIND = `${ENTRIES} AND checks.public_id = $2 AND deliveries.event_n = $3 AND channels.id = $4`

/**
 * Finds the delivery of a check to a channel of the same project.
 * @returns null if there is none, or the project has no such check or channel
 */
export function findDeliveryOf(
  sql: Sql,
  projectId: string,
  { checkPublicId, eventN, channelId }: DeliveryKey,
): Promise<DeliveryEntry | null> {
  return LISTED.get(sql, FIND, [projectId, checkPublicId, eventN, channelId])
}

const BEHIND = `
  SELECT COUNT(*) AS number FROM deliveries
  WHERE check_id = $1 AND channel_id = $2 AND state = 'pending' AND event_n > $3`

/** Counts the pending deliveries that wait for the given one, which are later deliveries of the same check to the same channel. */
export async function countBehind(sql: Sql, { checkId, channelId, eventN }: Delivery): Promise<number> {
  return (await sql.get<{ number: number }>(BEHIND, [checkId, channelId, eventN]))?.number ?? 0
}

// Counts only flips, because the receiver of an acknowledgement may not know which alert it is about.
const LATER_SENT = `
  SELECT 1 FROM deliveries JOIN events ON events.check_id = deliveries.check_id AND events.n = deliveries.event_n
  WHERE deliveries.check_id = $1 AND channel_id = $2 AND event_n > $3 AND state = 'sent' AND events.kind = 'flip' LIMIT 1`

/** Returns whether a later alert about the same check's status has reached the channel. */
export async function hasLaterSent(sql: Sql, { checkId, channelId, eventN }: Delivery): Promise<boolean> {
  return (await sql.get(LATER_SENT, [checkId, channelId, eventN])) !== null
}

/** Selects rows of one channel since $2, newest first, after the position given by $3 and $4. */
const newestOf = (of: string, createdAt: string, columns: string) => `
  SELECT ${columns} FROM deliveries
  WHERE channel_id = $1 AND ${of} AND ${createdAt} >= $2 AND (${createdAt}, id) < ($3, $4)
  ORDER BY ${createdAt} DESC, id DESC LIMIT $5`

/** Selects a page of deliveries. The check's name is null if the check was deleted or transferred. */
const pageOf = (of: string, createdAt: string) => `
  SELECT page.*, ${STATUS}, ${isOpen('page.event_n')}, checks.name AS check_name, checks.public_id AS check_public_id,
    channels.name AS channel_name, channels.kind AS channel_kind
  FROM (${newestOf(of, createdAt, '*')}) AS page
    JOIN channels ON channels.id = page.channel_id
    LEFT JOIN checks ON checks.id = page.check_id AND checks.project_id = channels.project_id
    LEFT JOIN events ON events.check_id = page.check_id AND events.n = page.event_n
  ORDER BY page.created_at DESC, page.id DESC`

const OF_STATE = ['state = $6', 'created_at'] as const
// Adding 0 makes the engine use the index on the check, because a check has few deliveries, while a channel may have very many.
const OF_CHECK = ['check_id = $7 AND state = $6', 'created_at + 0'] as const

export const PAGE_OF_STATE = pageOf(...OF_STATE)
export const PAGE_OF_CHECK = pageOf(...OF_CHECK)
export const NEWEST_OF_STATE = newestOf(...OF_STATE, 'id, created_at')
const NEWEST_OF_CHECK = newestOf(...OF_CHECK, 'id, created_at')

function valuesOf(
  channelId: string,
  { state, checkId, since }: DeliveryFilter,
  before: DeliveryPlace | null,
  limit: number,
): readonly Value[] {
  const from = since === null ? 0 : toMicroseconds(since)
  const until = before === null ? Number.MAX_SAFE_INTEGER : toMicroseconds(before.createdAt)
  const values = [channelId, from, until, before?.id ?? AFTER_ALL_IDS, limit, state]
  return checkId === null ? values : [...values, checkId]
}

const PLACES = columns<DeliveryPlace>({ id: text, createdAt: instant })

/**
 * Finds the newest delivery of each channel, in the order of the ids; null if the channel has none.
 * @param before null for no limit
 * @param channelIds a few ids at a time
 */
export function findNewestDeliveries(
  sql: Sql,
  channelIds: readonly string[],
  filter: DeliveryFilter,
  before: DeliveryPlace | null,
): Promise<(DeliveryPlace | null)[]> {
  return PLACES.getEach(
    sql,
    filter.checkId === null ? NEWEST_OF_STATE : NEWEST_OF_CHECK,
    channelIds.map((id) => valuesOf(id, filter, before, 1)),
  )
}

/** Reads the deliveries of one channel. */
export async function readDeliveries(
  sql: Sql,
  channelId: string,
  filter: DeliveryFilter,
  before: DeliveryPlace | null,
  limit: number,
): Promise<DeliveryPage> {
  const rows = await sql.all<Row>(
    filter.checkId === null ? PAGE_OF_STATE : PAGE_OF_CHECK,
    valuesOf(channelId, filter, before, limit),
  )
  const last = rows.at(-1)
  return {
    entries: rows.filter((row) => row.check_name !== null && row.status !== null).map(LISTED.read),
    last: last === undefined || rows.length < limit ? null : PLACES.read(last),
  }
}

const countOf = (state: DeliveryState) => `(
    SELECT COUNT(*) FROM (
      SELECT 1 FROM deliveries WHERE channel_id = $1 AND state = '${state}' AND created_at >= $2 LIMIT $3
    ) AS counted
  ) AS ${state}`
export const COUNT_OF_CHANNEL = `SELECT ${LIST_ORDER.map(countOf).join(', ')}`

/** Maximum number of a project's pending deliveries to read when counting those that are not held during quiet hours. */
const PENDING_READ = 10_000

const ofProject = (state: DeliveryState) => `
        FROM channels JOIN deliveries ON deliveries.channel_id = channels.id
          AND deliveries.state = '${state}' AND deliveries.created_at >= $2
          AND (deliveries.error IS NULL OR deliveries.error NOT LIKE '${CANCELLED}%')
        WHERE channels.project_id = $1`

// Appending '' keeps engines from searching all of the channel's pending deliveries.
/**
 * Counts the pending and failed deliveries to all of a project's channels since $2, up to $3. Omits deliveries that quiet hours still hold at
 * $4, and those that wait for such a delivery of the same check.
 */
export const COUNT_UNDELIVERED = `
  SELECT COUNT(*) AS undelivered FROM (
    SELECT 1 FROM (SELECT 1 ${ofProject('failed')} LIMIT $3) AS failed
    UNION ALL
    SELECT 1 FROM (SELECT deliveries.* ${ofProject('pending')} LIMIT ${PENDING_READ}) AS pending
    WHERE COALESCE(pending.held_until, 0) <= $4 AND (pending.next_attempt_at IS NOT NULL OR NOT EXISTS (
      SELECT 1 FROM deliveries AS held
      WHERE held.check_id = pending.check_id AND held.channel_id = pending.channel_id AND held.event_n < pending.event_n
        AND held.state || '' = 'pending' AND held.held_until > $4
    ))
    LIMIT $3
  ) AS counted`

/**
 * Counts the deliveries since a given time that are pending and not held during quiet hours, or that failed without being cancelled. The
 * counts are in the order of `projectIds`. Each count stops at `limit`.
 */
export async function countUndelivered(
  sql: Sql,
  projectIds: readonly string[],
  since: Instant,
  now: Instant,
  limit: number,
): Promise<number[]> {
  const rows = await sql.getEach<{ undelivered: number }>(
    COUNT_UNDELIVERED,
    projectIds.map((id) => [id, toMicroseconds(since), limit, toMicroseconds(now)]),
  )
  return rows.map((row) => row?.undelivered ?? 0)
}

interface CountRow {
  sent: number
  pending: number
  failed: number
}

/** Counts the deliveries to channels. @param limit maximum count for a channel @param since null for all time */
export async function countDeliveries(
  sql: Sql,
  channelIds: readonly string[],
  since: Instant | null,
  limit: number,
): Promise<DeliveryCounts> {
  const from = since === null ? 0 : toMicroseconds(since)
  const rows = await sql.getEach<CountRow>(
    COUNT_OF_CHANNEL,
    channelIds.map((id) => [id, from, limit]),
  )
  const total = (name: keyof CountRow) => rows.reduce((sum, row) => sum + (row?.[name] ?? 0), 0)
  return { pending: total('pending'), failed: total('failed'), sent: total('sent') }
}
