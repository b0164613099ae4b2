/** The log: each check's pings as a chain from its newest entry back; see `schema.sql` for why. */
import { BODY_BYTES, type LastPing } from '../domain/notification.ts'
import { type Instant, toMicroseconds } from '../domain/time.ts'
import type { Sql } from './database.ts'
import { CHECKS, type PingRow, toPing } from './rows.ts'
import type { LoggedPing, PingSummary } from './store.ts'

const NEWEST = `FROM ${CHECKS} JOIN pings ON pings.id = counters.last_ping_id AND pings.check_id = $1 WHERE checks.id = $1`

/**
 * Walks a check's log from its newest entry, or from another. `check_id` is compared at every step: were a pointer ever
 * wrong, the walk would end there instead of showing another check's pings.
 * @param more when to go on to the entry before `log`
 * @param start the entry to begin at
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

const FIND_BY_N = `${walk('log.n > $2')} SELECT pings.* FROM log JOIN pings ON pings.id = log.id WHERE log.n = $2`

export async function findPing(sql: Sql, checkId: string, n: number): Promise<LoggedPing | null> {
  const row = await sql.get<LoggedRow>(FIND_BY_N, [checkId, n])
  return row && { ...toPing(row), droppedBytes: row.dropped_bytes }
}

// The length comes from the head of the row; a long body is never handed over whole.
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
