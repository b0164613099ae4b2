/**
 * Stages imported logs: writes them in short transactions, under the ids of checks that do not exist yet. `interface/imports.ts` describes
 * the process.
 */
import type { Flip } from '../../domain/check/flip.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Ping } from '../../domain/ping/ping.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import { writeFlips } from '../checks/flips.ts'
import type { ImportExtent, LogPart, StagedLog } from '../interface/imports.ts'
import { pingValues } from '../pings/pings.ts'
import type { Row } from '../sql/columns.ts'
import type { Sql, Value } from '../sql/database.ts'
import { allOf, runForAll } from '../sql/key-lists.ts'
import { KEYS } from '../sql/rows.ts'
import { FLIPS } from '../tables/alerts.ts'
import { STAGED_LOGS } from '../tables/checks.ts'

/** A row of `EngineStatements.importExtent`. */
export interface ExtentRow {
  /** id of the requested check */
  id: string
  /** id of the existing or staged check's project; null if there is no such check */
  project_id: string | null
  /** 0 if the check does not exist or is staged */
  is_shown: number
  n_pings: number | null
  n_events: number | null
  /** project of the staged log; null if no log is staged */
  staged_project_id: string | null
  staged_n_pings: number | null
  staged_n_events: number | null
  entries: number | null
  bytes: number | null
  head: number | null
  is_leaving: number
}

/** Reads the extents of existing and staged checks, in the order of the ids. */
export async function readExtents(sql: Sql, checkIds: readonly string[]): Promise<ExtentRow[]> {
  const rows = await allOf<ExtentRow>(sql, sql.statements.importExtent, checkIds)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return checkIds.flatMap((id) => byId.get(id) ?? [])
}

/** Finds the extents of existing and staged checks, in the order of the ids. */
export async function findImportExtents(sql: Sql, checkIds: readonly string[]): Promise<ImportExtent[]> {
  return (await readExtents(sql, checkIds)).map((row) => ({
    stored: row.is_shown === 1 ? extentOf(row.project_id, row.n_pings, row.n_events) : null,
    staged: extentOf(row.staged_project_id, row.staged_n_pings, row.staged_n_events),
    isLeaving: row.is_leaving === 1,
  }))
}

function extentOf(projectId: string | null, n: number | null, eventN: number | null): ImportExtent['stored'] {
  return projectId === null ? null : { projectId, n: n ?? 0, eventN: eventN ?? 0 }
}

/** Locks all imports. Every write that stages, takes over or drops logs needs this lock. */
export async function lockImports(sql: Sql): Promise<void> {
  await sql.lock('imports')
}

const NOTE = `${STAGED_LOGS.insertion}
  ON CONFLICT (check_id) DO UPDATE SET n_pings = excluded.n_pings, n_events = excluded.n_events,
    entries = staged_logs.entries + excluded.entries, bytes = staged_logs.bytes + excluded.bytes, staged_at = excluded.staged_at`

/**
 * Writes the entries of several logs in one transaction. Pass only as many as can be written in a few milliseconds: see `LogStager` in
 * `import/engine/`.
 * @throws Refusal `import-interrupted` if a check now exists, is staged or is being deleted, or if another import has staged or dropped its
 * log
 */
export async function stageLogs(sql: Sql, parts: readonly LogPart[], now: Instant): Promise<void> {
  await lockImports(sql)
  const rows = await readExtents(
    sql,
    parts.map(({ checkId }) => checkId),
  )
  const { firstId } = await sql.pings.load(
    [],
    parts.reduce((sum, { pings }) => sum + pings.length, 0),
  )
  const entries: Value[][] = []
  const notes: Value[][] = []
  const moves: Value[][] = []
  for (const [index, part] of parts.entries()) {
    const row = rows[index]
    if (!row || !continues(part, row)) throw interrupted()
    let head = row.head
    for (const ping of part.pings) {
      const id = firstId + entries.length
      entries.push(pingValues(id, head, ping))
      head = id
    }
    notes.push(noteOf(part, now))
    if (head !== row.head) moves.push([part.checkId, head])
  }
  await sql.pings.write({ entries, counters: [], statuses: [] })
  await writeFlips(
    sql,
    parts.flatMap(({ flips }) => flips),
  )
  await sql.runEach(NOTE, notes)
  const { moveStaged } = sql.statements
  if (moveStaged !== null) await sql.runEach(moveStaged, moves)
}

function continues({ after, projectId }: LogPart, row: ExtentRow): boolean {
  if (row.project_id !== null || row.is_leaving === 1) return false
  const isOwn = row.staged_project_id === null || row.staged_project_id === projectId
  return isOwn && (row.staged_n_pings ?? 0) === after.n && (row.staged_n_events ?? 0) === after.eventN
}

/** Returns the refusal for staged logs that are not in the state that the caller expects. */
export function interrupted(): Refusal {
  return new Refusal('import-interrupted', 'the staged log of the import was changed or removed meanwhile')
}

function noteOf({ checkId, projectId, after, pings, flips }: LogPart, now: Instant): Value[] {
  const n = pings.at(-1)?.n ?? after.n
  const eventN = flips.at(-1)?.n ?? after.eventN
  const [entries, bytes] = [pings.length, bytesOf(pings)]
  return STAGED_LOGS.values({ checkId, projectId, n, eventN, entries, bytes, stagedAt: now })
}

function bytesOf(pings: readonly Ping[]): number {
  return pings.reduce((sum, { body }) => sum + (body?.length ?? 0), 0)
}

/** Lists the staged logs of all imports that have not finished. */
export function listStagedLogs(sql: Sql): Promise<StagedLog[]> {
  return STAGED_LOGS.all(sql, 'SELECT * FROM staged_logs ORDER BY check_id', [])
}

const NEWEST_FLIP = `
  SELECT events.* FROM staged_logs JOIN events ON events.check_id = staged_logs.check_id AND events.n = staged_logs.n_events
  WHERE staged_logs.check_id IN (${KEYS})`

/** Finds the newest staged flip of each check, in the order of the ids; null if none was staged or retention has removed it. */
export async function findStagedFlips(sql: Sql, checkIds: readonly string[]): Promise<(Flip | null)[]> {
  const found = (await allOf<Row>(sql, NEWEST_FLIP, checkIds)).map(FLIPS.read)
  const flips = new Map(found.map((flip) => [flip.checkId, flip]))
  return checkIds.map((id) => flips.get(id) ?? null)
}

const REMOVE = `DELETE FROM staged_logs WHERE check_id IN (${KEYS})`

/** Removes the records of staged logs, but not the entries of the logs. */
async function removeStaged(sql: Sql, checkIds: readonly string[]): Promise<void> {
  await runForAll(sql, REMOVE, checkIds)
}

/** Drops staged logs. `prune` removes their entries from disk later. Ignores ids without a staged log. */
export async function dropStagedLogs(sql: Sql, checkIds: readonly string[]): Promise<void> {
  await lockImports(sql)
  await sql.runEach(
    sql.statements.rememberDropped,
    checkIds.map((id) => [id]),
  )
  await removeStaged(sql, checkIds)
}

// An import that is still running may have finished staging some of its project's logs long ago, so the most recently staged log of each
// project is what counts.
const STALE = `
  SELECT check_id FROM staged_logs
  WHERE staged_at < $1 AND project_id NOT IN (SELECT project_id FROM staged_logs WHERE staged_at >= $1)
    AND NOT EXISTS (SELECT 1 FROM projects WHERE projects.id = staged_logs.project_id AND projects.staged_at IS NOT NULL)
  ORDER BY staged_at LIMIT $2`

/** Returns the ids of checks with staged logs whose import has made no progress since `before`. */
export async function findStaleLogs(sql: Sql, before: Instant, limit: number): Promise<string[]> {
  const stale = await sql.all<{ check_id: string }>(STALE, [toMicroseconds(before), limit])
  return stale.map(({ check_id }) => check_id)
}

/**
 * Drops the logs that {@link findStaleLogs} finds under the lock, because an import may have continued in the meantime.
 * @returns number of dropped logs
 */
export async function dropStaleLogs(sql: Sql, before: Instant, limit: number): Promise<number> {
  await lockImports(sql)
  const ids = await findStaleLogs(sql, before, limit)
  await dropStagedLogs(sql, ids)
  return ids.length
}
