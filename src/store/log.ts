/** The log: each check's pings are a chain from the newest entry back. `schema.sql` gives the reasons. */
import { BODY_BYTES, type LastPing } from '../domain/alert/flip-context.ts'
import type { Ping } from '../domain/ping/ping.ts'
import type { PingKind } from '../domain/ping/signal.ts'
import { fromMicroseconds, type Instant, toMicroseconds } from '../lib/time.ts'
import { CHECKS } from './check-rows.ts'
import type { Sql } from './database.ts'
import { LINE_BYTES, type LoggedPing, type LogLine, MAIL_LINE_BYTES, type PingSummary } from './store.ts'

export interface PingRow {
  check_id: string
  n: number
  received_at: number
  kind: PingKind
  exit_status: number | null
  rid: string | null
  scheme: string
  method: string
  ua: string
  remote_addr: string | null
  body: Uint8Array | null
}

function toPing(row: PingRow): Ping {
  return {
    checkId: row.check_id,
    n: row.n,
    receivedAt: fromMicroseconds(row.received_at),
    kind: row.kind,
    exitStatus: row.exit_status,
    rid: row.rid,
    scheme: row.scheme,
    method: row.method,
    ua: row.ua,
    remoteAddr: row.remote_addr,
    body: row.body,
  }
}

const NEWEST = `FROM ${CHECKS} JOIN pings ON pings.id = counters.last_ping_id AND pings.check_id = $1 WHERE checks.id = $1`

/**
 * Walks a check's log back from its newest entry, or from another one. Every step compares `check_id`, so a wrong pointer
 * ends the walk instead of showing another check's pings.
 * @param more SQL condition: true to go on to the entry before `log`
 * @param start FROM clause of the entry to begin at
 */
export const walk = (more: string, start: string = NEWEST) => `
  WITH RECURSIVE log (id, previous_id, n, received_at) AS (
    SELECT pings.id, pings.previous_id, pings.n, pings.received_at ${start}
    UNION ALL
    SELECT pings.id, pings.previous_id, pings.n, pings.received_at
    FROM log JOIN pings ON pings.id = log.previous_id AND pings.check_id = $1
    WHERE ${more}
  )`

const ALL_BUT_BODY = `pings.check_id, pings.n, pings.received_at, pings.kind, pings.exit_status, pings.rid, pings.scheme,
    pings.method, pings.ua, pings.remote_addr`

type LoggedRow = PingRow & { dropped_bytes: number | null }

const LIST = `${walk(`log.n > (SELECT n_pings FROM ${CHECKS} WHERE id = $1) - $2 + 1`)}
  SELECT ${ALL_BUT_BODY}, CASE WHEN pings.body IS NULL THEN 0 ELSE 1 END AS has_body, NULL AS body, pings.dropped_bytes
  FROM log JOIN pings ON pings.id = log.id
  ORDER BY log.n DESC`

export async function listPings(sql: Sql, checkId: string, limit: number): Promise<PingSummary[]> {
  const rows = await sql.all<LoggedRow & { has_body: number }>(LIST, [checkId, limit])
  return rows.map((row) => {
    const { body: _, ...summary } = toPing(row)
    return { ...summary, hasBody: row.has_body === 1, droppedBytes: row.dropped_bytes }
  })
}

// SQLite takes the length from the head of the row, and never reads the whole of a long body.
export const READ_LOG = `${walk('log.n > $2 - $3')}
  SELECT ${ALL_BUT_BODY}, SUBSTR(pings.body, 1, CASE WHEN pings.scheme = 'email' THEN ${MAIL_LINE_BYTES} ELSE ${LINE_BYTES} END) AS body, LENGTH(pings.body) AS body_size, pings.dropped_bytes
  FROM log JOIN pings ON pings.id = log.id
  WHERE log.n < $2
  ORDER BY log.n DESC LIMIT $3`
const N_PINGS = `SELECT n_pings FROM ${CHECKS} WHERE id = $1`

export async function readLog(sql: Sql, checkId: string, before: number | null, limit: number): Promise<LogLine[]> {
  const newest = await sql.get<{ n_pings: number }>(N_PINGS, [checkId])
  if (!newest) return []
  const values = [checkId, before ?? newest.n_pings + 1, limit]
  return (await sql.all<LineRow>(READ_LOG, values)).map(toLine)
}

type LineRow = LoggedRow & { body_size: number | null }

function toLine(row: LineRow): LogLine {
  const { body, ...entry } = toPing(row)
  return { ...entry, bodyStart: body, bodySize: row.body_size ?? 0, droppedBytes: row.dropped_bytes }
}

const FIND_START = `${walk('log.n > $2')}
  SELECT ${ALL_BUT_BODY}, SUBSTR(pings.body, 1, $3) AS body, LENGTH(pings.body) AS body_size, pings.dropped_bytes
  FROM log JOIN pings ON pings.id = log.id WHERE log.n = $2`

export async function findPingStart(sql: Sql, checkId: string, n: number, bytes: number): Promise<LogLine | null> {
  const row = await sql.get<LineRow>(FIND_START, [checkId, n, bytes])
  return row && toLine(row)
}

const FIND_BY_N = `${walk('log.n > $2')} SELECT pings.* FROM log JOIN pings ON pings.id = log.id WHERE log.n = $2`

export async function findPing(sql: Sql, checkId: string, n: number): Promise<LoggedPing | null> {
  const row = await sql.get<LoggedRow>(FIND_BY_N, [checkId, n])
  return row && { ...toPing(row), droppedBytes: row.dropped_bytes }
}

const FIND_AS_OF = `${walk('log.received_at > $2')}
  SELECT ${ALL_BUT_BODY}, SUBSTR(pings.body, 1, $3) AS body, LENGTH(pings.body) AS body_size, pings.dropped_bytes,
    CASE WHEN LENGTH(pings.body) > $3 THEN SUBSTR(pings.body, LENGTH(pings.body) - $4 + 1) END AS long_body_end
  FROM log JOIN pings ON pings.id = log.id WHERE log.received_at <= $2`

type LastPingRow = LoggedRow & { body_size: number | null; long_body_end: Uint8Array | null }

/** The newest ping that is not later than `at`, with as much of its body as messages show. */
export async function findLastPing(sql: Sql, checkId: string, at: Instant): Promise<LastPing | null> {
  const row = await sql.get<LastPingRow>(FIND_AS_OF, [checkId, toMicroseconds(at), BODY_BYTES.start, BODY_BYTES.end])
  if (!row) return null
  const bodyEnd = row.long_body_end ?? row.body?.subarray(-BODY_BYTES.end) ?? null
  return { ...toPing(row), bodySize: row.body_size ?? 0, bodyEnd, droppedBytes: row.dropped_bytes }
}
