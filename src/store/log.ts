/** The log: each check's pings as a chain from its newest entry back; see `schema.sql` for why. */
import { BODY_BYTES, type LastPing } from '../domain/notification.ts'
import type { Ping } from '../domain/ping.ts'
import { type Instant, toMicroseconds } from '../domain/time.ts'
import type { Sql } from './database.ts'
import { CHECKS, type PingRow, toPing } from './rows.ts'
import type { Steps } from './steps.ts'
import type { PingSummary } from './store.ts'

const NEWEST = `FROM ${CHECKS} JOIN pings ON pings.id = counters.last_ping_id AND pings.check_id = $1 WHERE checks.id = $1`

/**
 * Walks a check's log from its newest entry, or from another. `check_id` is compared at every step: were a pointer ever
 * wrong, the walk would end there instead of showing another check's pings.
 * @param more when to go on to the entry before `log`
 * @param start the entry to begin at
 */
const walk = (more: string, start: string = NEWEST) => `
  WITH RECURSIVE log (id, previous_id, n, received_at) AS (
    SELECT pings.id, pings.previous_id, pings.n, pings.received_at ${start}
    UNION ALL
    SELECT pings.id, pings.previous_id, pings.n, pings.received_at
    FROM log JOIN pings ON pings.id = log.previous_id AND pings.check_id = $1
    WHERE ${more}
  )`

const ALL_BUT_BODY = `pings.check_id, pings.n, pings.received_at, pings.kind, pings.exit_status, pings.rid, pings.scheme,
    pings.method, pings.ua, pings.remote_addr`

const LIST = `${walk(`log.n > (SELECT n_pings FROM ${CHECKS} WHERE id = $1) - $2 + 1`)}
  SELECT ${ALL_BUT_BODY}, CASE WHEN pings.body IS NULL THEN 0 ELSE 1 END AS has_body, NULL AS body
  FROM log JOIN pings ON pings.id = log.id
  ORDER BY log.n DESC`

export async function listPings(sql: Sql, checkId: string, limit: number): Promise<PingSummary[]> {
  const rows = await sql.all<PingRow & { has_body: number }>(LIST, [checkId, limit])
  return rows.map((row) => {
    const { body: _, ...summary } = toPing(row)
    return { ...summary, hasBody: row.has_body === 1 }
  })
}

const FIND_BY_N = `${walk('log.n > $2')} SELECT pings.* FROM log JOIN pings ON pings.id = log.id WHERE log.n = $2`

export async function findPing(sql: Sql, checkId: string, n: number): Promise<Ping | null> {
  const row = await sql.get<PingRow>(FIND_BY_N, [checkId, n])
  return row && toPing(row)
}

// The length comes from the head of the row; a long body is never handed over whole.
const FIND_AS_OF = `${walk('log.received_at > $2')}
  SELECT ${ALL_BUT_BODY}, SUBSTR(pings.body, 1, $3) AS body, LENGTH(pings.body) AS body_size,
    CASE WHEN LENGTH(pings.body) > $3 THEN SUBSTR(pings.body, LENGTH(pings.body) - $4 + 1) END AS long_body_end
  FROM log JOIN pings ON pings.id = log.id WHERE log.received_at <= $2`

type LastPingRow = PingRow & { body_size: number | null; long_body_end: Uint8Array | null }

/** The newest ping that is not later than `at`, with as much of its body as messages show. */
export async function findLastPing(sql: Sql, checkId: string, at: Instant): Promise<LastPing | null> {
  const row = await sql.get<LastPingRow>(FIND_AS_OF, [checkId, toMicroseconds(at), BODY_BYTES.start, BODY_BYTES.end])
  if (!row) return null
  const bodyEnd = row.long_body_end ?? row.body?.subarray(-BODY_BYTES.end) ?? null
  return { ...toPing(row), bodySize: row.body_size ?? 0, bodyEnd }
}

const DELETE_LOG = `DELETE FROM pings WHERE id IN (${walk('1 = 1')} SELECT id FROM log)`

export async function deleteLog(sql: Sql, checkId: string): Promise<void> {
  await sql.run(DELETE_LOG, [checkId])
  await sql.run('DELETE FROM overgrown_logs WHERE check_id = $1', [checkId])
}

const FIND_NEWEST = `
  SELECT last_ping_id, n_pings, ping_log_limit
  FROM ${CHECKS} JOIN projects ON projects.id = checks.project_id WHERE checks.id = $1`

const ENTRIES_AT_ONCE = 100
/** Reads the beginnings of rows only, however long the bodies are. */
const WALK_ON = `
  ${walk('log.n > (SELECT n FROM pings WHERE id = $2) - $3 + 1', 'FROM pings WHERE pings.id = $2 AND pings.check_id = $1')}
  SELECT id, previous_id, n FROM log ORDER BY n DESC`

interface Entry {
  readonly id: number
  readonly checkId: string
}

/** The entries of a check's log beyond as many of the newest as its project keeps. */
async function listExcess(steps: Steps, checkId: string): Promise<Entry[]> {
  const newest = await steps.read((sql) =>
    sql.get<{ last_ping_id: number | null; n_pings: number; ping_log_limit: number }>(FIND_NEWEST, [checkId]),
  )
  if (!newest) return []
  const until = newest.n_pings - newest.ping_log_limit
  const excess: Entry[] = []
  let next = until > 0 ? newest.last_ping_id : null
  const walkOn = async (sql: Sql, isOver: () => boolean) => {
    do {
      const values = [checkId, next, ENTRIES_AT_ONCE]
      const entries = await sql.all<{ id: number; previous_id: number | null; n: number }>(WALK_ON, values)
      for (const { id, n } of entries) if (n <= until) excess.push({ id, checkId })
      next = entries.at(-1)?.previous_id ?? null
    } while (next !== null && !isOver())
  }
  while (next !== null) await steps.read(walkOn)
  return excess
}

// An id is given again when the newest entries of all have gone with their check, and never to the same check.
const DELETE_ENTRY = 'DELETE FROM pings WHERE id = $1 AND check_id = $2'

/** Oldest first, so that what is left when it fails half way is still a chain. @returns how many went */
function deleteEntries(steps: Steps, entries: readonly Entry[]): Promise<number> {
  const oldestFirst = entries.toSorted((a, b) => a.id - b.id)
  return steps.runEach(
    DELETE_ENTRY,
    oldestFirst.map(({ id, checkId }) => [id, checkId]),
  )
}

const OVERGROWN = 'SELECT check_id FROM overgrown_logs LIMIT $1'
const UNMARK = 'DELETE FROM overgrown_logs WHERE check_id = $1'

/**
 * Shortens logs that wait for it, of `limit` checks at most. They wait until it is done, and so are found again after a
 * failure; two processes that shorten one log do each other no harm.
 * @returns how many entries went, and of how many checks
 */
export async function shortenLogs(
  steps: Steps,
  limit: number,
): Promise<{ readonly pings: number; readonly logs: number }> {
  const marked = await steps.read((sql) => sql.all<{ check_id: string }>(OVERGROWN, [limit]))
  const excess: Entry[][] = []
  for (const { check_id } of marked) excess.push(await listExcess(steps, check_id))
  const pings = await deleteEntries(steps, excess.flat())
  await steps.runEach(
    UNMARK,
    marked.map(({ check_id }) => [check_id]),
  )
  return { pings, logs: marked.length }
}
