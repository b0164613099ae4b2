/**
 * Stores the words of pings so that they can be searched. A service extracts the words, because it can parse emails, and does so outside of
 * any transaction. Words are stored only for entries that have not changed in the meantime. `schema.sql` describes the tables.
 */
import type { WordPattern } from '../../domain/search/query.ts'
import { scopeOf } from '../../domain/search/scope.ts'
import { fromMicroseconds } from '../../lib/time.ts'
import type {
  PingBegin,
  PingHit,
  PingHits,
  PingWords,
  SearchedIds,
  SearchProgress,
  UnreadPing,
  UnreadPings,
} from '../interface/search.ts'
import { MARK_CHECK } from '../revisions/rereads.ts'
import { findSetting, writeSetting } from '../server/settings.ts'
import { SHOWN_CHECK } from '../sql/check-rows.ts'
import type { Sql } from '../sql/database.ts'
import { BODY_SIZE } from '../sql/engine-statements.ts'

/** Number of bytes of a body that are searched. */
const SEARCHED_BYTES = 64 * 1024
/** Limits of a single read. Writing the words of that many entries takes about four milliseconds. */
const AT_ONCE = { bodies: 40, bytes: 128 * 1024 }
const HEADS_AT_ONCE = 500
const CHECKS_AT_ONCE = 100

/** Name of the setting that contains the id of the last indexed entry, as a string. */
const CURSOR = 'search_cursor'

async function findCursor(sql: Sql): Promise<number> {
  return Number((await findSetting(sql, CURSOR)) ?? 0)
}

/** Locks the search index. Without the lock, words might be stored for an entry that another write is removing. */
export async function lockWords(sql: Sql): Promise<void> {
  await sql.lock('setting', [CURSOR])
}

/** Keeps the search cursor within the log. Called in each transaction that has deleted entries. */
export async function clampCursor(sql: Sql): Promise<void> {
  const { clampCursor: statement } = sql.statements
  if (statement !== null) await sql.run(statement, [])
}

interface Head {
  readonly id: number
  /** null if the entry no longer exists */
  readonly check_id: string | null
  readonly n: number
  readonly scheme: string
  /** size in bytes of the body, or of its beginning if the body is long; null if there is none */
  readonly bytes: number | null
  readonly project_id: string | null
  readonly search: number | null
}

const OF_PROJECT = `
  LEFT JOIN checks ON checks.id = pings.check_id AND ${SHOWN_CHECK} LEFT JOIN projects ON projects.id = checks.project_id`
const HEAD = `pings.check_id, pings.n, pings.scheme, LENGTH(pings.body) AS bytes, checks.project_id, projects.search`
export const HEADS_OF_LOG = `
  SELECT pings.id, ${HEAD} FROM pings ${OF_PROJECT} WHERE pings.id > $1 AND pings.id <= $2 ORDER BY pings.id LIMIT $3`
export const HEADS_OF_QUEUE = `
  SELECT unread_pings.id, ${HEAD} FROM unread_pings LEFT JOIN pings ON pings.id = unread_pings.id ${OF_PROJECT}
  WHERE unread_pings.id > $1 AND unread_pings.id <= $2 ORDER BY unread_pings.id LIMIT $3`
const BEGIN_OF_BODY = `
  SELECT SUBSTR(body, 1, ${SEARCHED_BYTES}) AS begin, ${BODY_SIZE} AS size, content_type FROM pings WHERE id = $1`

function readHeads(sql: Sql, isQueue: boolean, after: number, upTo: number): Promise<Head[]> {
  return sql.all<Head>(isQueue ? HEADS_OF_QUEUE : HEADS_OF_LOG, [after, upTo, HEADS_AT_ONCE])
}

function isSearched({ bytes, search }: Head): boolean {
  return bytes !== null && bytes > 0 && search === 1
}

/**
 * Finds log entries whose words must be indexed, new ones first.
 * @returns null if there are none
 * @param settled see `Database.settledPings`
 */
export async function findUnread(sql: Sql, settled: number): Promise<UnreadPings | null> {
  const cursor = await findCursor(sql)
  for (const [isQueue, after] of [[false, cursor] as const, [true, 0] as const]) {
    const heads = await readHeads(sql, isQueue, after, settled)
    if (heads.length > 0) return { isQueue, after, ...(await readBegins(sql, heads)) }
  }
  return null
}

async function readBegins(sql: Sql, heads: readonly Head[]): Promise<Pick<UnreadPings, 'pings' | 'upTo'>> {
  const pings: UnreadPing[] = []
  let [upTo, bytes] = [0, 0]
  for (const head of heads) {
    if (isSearched(head) && head.check_id !== null) {
      bytes += Math.min(head.bytes ?? 0, SEARCHED_BYTES)
      if (pings.length > 0 && (pings.length === AT_ONCE.bodies || bytes > AT_ONCE.bytes)) break
      const row = await sql.get<{ begin: Uint8Array; size: number; content_type: string | null }>(BEGIN_OF_BODY, [
        head.id,
      ])
      const read = { bodyStart: row?.begin ?? new Uint8Array(), contentType: row?.content_type ?? null }
      const begin = { scheme: head.scheme, bodySize: row?.size ?? 0, ...read }
      pings.push({ id: head.id, checkId: head.check_id, n: head.n, ...begin })
    }
    upTo = head.id
  }
  return { pings, upTo }
}

const LEAVE_QUEUE = 'DELETE FROM unread_pings WHERE id = $1'

/**
 * Stores words in a short transaction. Stops at the first entry that has changed, or when `isOver` returns true. {@link findUnread} finds
 * the remaining entries again. Leaves out missing entries.
 * @param isOver returns true once the transaction has taken too long
 * @param words one list for each of `unread.pings`
 */
export async function writeWords(
  sql: Sql,
  isOver: () => boolean,
  { isQueue, after, upTo }: Omit<UnreadPings, 'pings'>,
  words: readonly PingWords[],
): Promise<void> {
  await lockWords(sql)
  if (!isQueue && (await findCursor(sql)) !== after) return
  const read = new Map(words.map((each) => [each.id, each]))
  let done = after
  for (const head of await readHeads(sql, isQueue, after, upTo)) {
    const found = read.get(head.id)
    const isSame = found?.checkId === head.check_id && found?.n === head.n
    if (isSearched(head) && !isSame) break
    if (isSearched(head) && found && found.words.length > 0) await sql.words.put(head.id, scopedWords(head, found))
    else if (isQueue) await sql.words.remove(head.id)
    if (isQueue) await sql.run(LEAVE_QUEUE, [head.id])
    done = head.id
    if (isOver()) break
  }
  if (!isQueue && done > after) await writeSetting(sql, CURSOR, String(done))
}

function scopedWords({ project_id }: Head, { checkId, words }: PingWords): string[] {
  const scope = scopeOf({ id: checkId, projectId: project_id ?? '' })
  return words.map((word) => scope + word)
}

const NEXT_CHECK = 'SELECT check_id FROM unread_checks ORDER BY check_id LIMIT 1'
const UNMARK_CHECK = 'DELETE FROM unread_checks WHERE check_id = $1'
const NEXT_PROJECT = 'SELECT project_id, done_until FROM unread_projects ORDER BY project_id LIMIT 1'
const NEXT_CHECKS = `
  SELECT id, created_at FROM checks WHERE project_id = $1 AND created_at > $2 ORDER BY created_at LIMIT ${CHECKS_AT_ONCE}`
// These statements change nothing if the project was marked again in the meantime.
const ADVANCE_PROJECT = 'UPDATE unread_projects SET done_until = $3 WHERE project_id = $1 AND done_until = $2'
const UNMARK_PROJECT = 'DELETE FROM unread_projects WHERE project_id = $1 AND done_until = $2'

const MARKS = `SELECT EXISTS (SELECT 1 FROM unread_checks) OR EXISTS (SELECT 1 FROM unread_projects) AS marked`

/**
 * Returns whether any entries must be reindexed, because search was turned on or off for their project, or because their check was
 * transferred.
 */
export async function isMarked(sql: Sql): Promise<boolean> {
  return Boolean((await sql.get<{ marked: number | boolean }>(MARKS, []))?.marked)
}

/** Adds entries of the next mark to the queue, once {@link findUnread} has found none. @returns false if nothing is marked */
export async function fillQueue(sql: Sql): Promise<boolean> {
  await lockWords(sql)
  const check = await sql.get<{ check_id: string }>(NEXT_CHECK, [])
  if (check) {
    await sql.run(sql.statements.fillQueue, [check.check_id, await findCursor(sql)])
    await sql.run(UNMARK_CHECK, [check.check_id])
    return true
  }
  const project = await sql.get<{ project_id: string; done_until: number }>(NEXT_PROJECT, [])
  if (!project) return false
  const values = [project.project_id, project.done_until]
  const checks = await sql.all<{ id: string; created_at: number }>(NEXT_CHECKS, values)
  const lists = checks.map(({ id }) => [id])
  await sql.runEach(MARK_CHECK, lists)
  const last = checks.at(-1)
  if (last) await sql.run(ADVANCE_PROJECT, [...values, last.created_at])
  else await sql.run(UNMARK_PROJECT, values)
  return true
}

export const HIT = `
  SELECT pings.id, pings.check_id, pings.n, pings.received_at, pings.kind
  FROM pings JOIN checks ON checks.id = pings.check_id JOIN counters USING (counter_id)
  JOIN projects ON projects.id = checks.project_id
  WHERE pings.id = $1 AND checks.project_id = $2 AND projects.search = 1
    AND pings.n > counters.n_pings - projects.ping_log_limit
    AND NOT EXISTS (
      SELECT 1 FROM cleared_checks WHERE cleared_checks.check_id = pings.check_id AND cleared_checks.n_pings >= pings.n
    )`

type HitRow = { id: number; check_id: string; n: number; received_at: number; kind: PingHit['kind'] }

/**
 * Examines the newest `limit` pings that match, and returns those that are visible in the project's logs. Returns none if search is turned
 * off for the project. Entries that retention has not removed yet are examined, but not returned.
 * @param pattern pattern for one of the project's scopes, see `scoped` in the domain. Such a pattern keeps a call to a few milliseconds
 */
export async function searchPings(
  sql: Sql,
  projectId: string,
  pattern: WordPattern,
  { above, below }: SearchedIds,
  limit: number,
): Promise<PingHits> {
  const ids = await sql.words.find(pattern, above, below, limit)
  const rows = await sql.getEach<HitRow>(
    HIT,
    ids.map((id) => [id, projectId]),
  )
  const last = ids.at(-1)
  return { hits: rows.flatMap((row) => (row ? [toHit(row)] : [])), below: ids.length < limit ? null : (last ?? null) }
}

function toHit({ id, check_id, n, received_at, kind }: HitRow): PingHit {
  return { id, checkId: check_id, n, receivedAt: fromMicroseconds(received_at), kind }
}

const BEGIN_OF_HIT = `
  SELECT scheme, SUBSTR(body, 1, ${SEARCHED_BYTES}) AS "bodyStart", ${BODY_SIZE} AS "bodySize", content_type AS "contentType"
  FROM pings WHERE id = $1 AND check_id = $2 AND n = $3 AND body IS NOT NULL`

/**
 * Returns the beginning of each hit's body, in the order of the hits; null if the log no longer contains the hit or its body was dropped.
 * Pass only a few at a time.
 */
export function findHitBegins(sql: Sql, hits: readonly PingHit[]): Promise<(PingBegin | null)[]> {
  return sql.getEach<PingBegin>(
    BEGIN_OF_HIT,
    hits.map(({ id, checkId, n }) => [id, checkId, n]),
  )
}

// The check of a staged entry does not exist yet or is itself staged. Many such entries may precede the first entry of a visible check, so
// the number of entries examined is limited.
const FIRST_UNREAD = `
  SELECT received_at FROM (
    SELECT id, check_id, received_at FROM pings WHERE id > $1 ORDER BY id LIMIT ${HEADS_AT_ONCE}
  ) AS unread WHERE EXISTS (SELECT 1 FROM checks WHERE checks.id = unread.check_id AND ${SHOWN_CHECK})
  ORDER BY id LIMIT 1`
const REREAD = `
  SELECT project_id FROM unread_projects
  UNION SELECT project_id FROM unread_checks JOIN checks ON checks.id = unread_checks.check_id
  UNION SELECT project_id FROM unread_pings JOIN pings ON pings.id = unread_pings.id
    JOIN checks ON checks.id = pings.check_id`

export async function readProgress(sql: Sql): Promise<SearchProgress> {
  const first = await sql.get<{ received_at: number }>(FIRST_UNREAD, [await findCursor(sql)])
  const projects = await sql.all<{ project_id: string }>(REREAD, [])
  return {
    unreadSince: first && fromMicroseconds(first.received_at),
    reread: new Set(projects.map(({ project_id }) => project_id)),
  }
}
