/** Reads and writes the audit log. A change and its rows are written in one transaction. */
import { type AuditEntry, type Audited, type AuditRecord, auditRecord, exportRecord } from '../domain/audit/audit.ts'
import type { AuditPlace, AuditRange, PlacedAuditEntry } from '../domain/audit/audit-list.ts'
import type { Author } from '../domain/author.ts'
import type { Check } from '../domain/check/check.ts'
import { uniqueKey } from '../domain/check/unique-key.ts'
import { addSeconds, type Instant, toMicroseconds } from '../lib/time.ts'
import type { Sql } from './sql/database.ts'
import type { Steps } from './sql/steps.ts'
import { AUDIT, AUDIT_ENTRIES } from './tables/projects.ts'

/** Writes the rows of one change. If a transaction is retried, it uses a new object. */
export class AuditTrail {
  readonly #sql: Sql
  readonly author: Author
  #rows = 0

  constructor(sql: Sql, author: Author) {
    this.#sql = sql
    this.author = author
  }

  /** Writes a row, unless the two states are equal. @param before null if the object was created @param after null if it was deleted */
  async note(before: Audited | null, after: Audited | null): Promise<void> {
    const record = auditRecord(before, after)
    if (record !== null) await this.#write(record)
  }

  async noteExport(exported: Audited): Promise<void> {
    await this.#write(exportRecord(exported))
  }

  async #write(record: AuditRecord): Promise<void> {
    await AUDIT.insert(this.#sql, { ...record, author: this.author, n: this.#rows++ })
  }
}

const LIST = 'SELECT * FROM audit ORDER BY created_at DESC, change_id, n LIMIT $1'

/** Lists rows of the audit log, newest first. */
export function listAudit(sql: Sql, limit: number): Promise<AuditEntry[]> {
  return AUDIT_ENTRIES.all(sql, LIST, [limit])
}

const pageOf = (of: string) => `
  SELECT * FROM audit WHERE ${of}created_at >= $1 AND created_at <= $2 AND (created_at < $2 OR (change_id, n) > ($3, $4))
  ORDER BY created_at DESC, change_id, n LIMIT $5`
export const PAGE = pageOf('')
export const PAGE_OF_PROJECT = pageOf('project_id = $6 AND ')

/** A position before all rows with a given timestamp, so that none of them is skipped. */
const BEFORE_ALL_ROWS = { changeId: '', n: -1 }

/**
 * Reads rows of the audit log, newest first. The rows of one change are in the order in which they were written.
 * @param after row after which to start; null to start with the newest
 */
export function readAudit(
  sql: Sql,
  { projectId, since, until }: AuditRange,
  after: AuditPlace | null,
  limit: number,
): Promise<PlacedAuditEntry[]> {
  const from = since === null ? 0 : toMicroseconds(since)
  const last = until === null ? Number.MAX_SAFE_INTEGER : toMicroseconds(until) - 1
  const at = after === null ? last : toMicroseconds(after.at)
  const { changeId, n } = after === null || at > last ? BEFORE_ALL_ROWS : after
  const values = [from, Math.min(at, last), changeId, n, limit]
  return projectId === null ? AUDIT.all(sql, PAGE, values) : AUDIT.all(sql, PAGE_OF_PROJECT, [...values, projectId])
}

// The pattern matches only a status, because quotation marks in a check's name are escaped.
const PAUSE = `SELECT * FROM (
  SELECT * FROM audit WHERE project_id = $1 AND created_at BETWEEN $2 AND $3 ORDER BY created_at DESC LIMIT $4
) AS entries
WHERE subject_kind = 'check' AND subject_id = $5 AND new_values LIKE '%"status":"paused"%'
ORDER BY created_at DESC LIMIT 1`
/** Length in seconds of the period before a flip to search. The change is written a moment before the flip. */
const PAUSE_SECONDS = 60
/** Maximum number of rows to search. It is larger than the number of changes to expect in a project within that time. */
const ROWS_LOOKED_AT = 100

/** A check that was paused, and when it was paused. */
export interface PauseOfCheck {
  readonly check: Pick<Check, 'id' | 'projectId'>
  readonly at: Instant
}

/** Searches the audit log for users who paused checks. @returns authors in the order of the pauses; null if unknown */
export async function findPausers(sql: Sql, pauses: readonly PauseOfCheck[]): Promise<readonly (Author | null)[]> {
  const values = pauses.map(({ check: { id, projectId }, at }) => [
    projectId,
    toMicroseconds(addSeconds(at, -PAUSE_SECONDS)),
    toMicroseconds(at),
    ROWS_LOOKED_AT,
    uniqueKey(id),
  ])
  return (await AUDIT_ENTRIES.getEach(sql, PAUSE, values)).map((entry) => entry?.author ?? null)
}

// The audit log uses the API's names for the timing fields.
const TIMED = `
  SELECT subject_id, MAX(created_at) AS at FROM (
    SELECT * FROM audit WHERE project_id = $1 ORDER BY created_at DESC LIMIT $2
  ) AS entries
  WHERE subject_kind = 'check' AND action = 'edit' AND (
    new_values LIKE '%"timeout":%' OR new_values LIKE '%"grace":%' OR new_values LIKE '%"schedule":%' OR new_values LIKE '%"tz":%'
  )
  GROUP BY subject_id`
const TIMED_ROWS_LOOKED_AT = 2_000

/**
 * Returns when the timing of each of the project's checks was last changed, in microseconds by unique key. Reads only the newest rows of
 * the audit log.
 */
export async function lastTimed(sql: Sql, projectId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.all<{ subject_id: string; at: number }>(TIMED, [projectId, TIMED_ROWS_LOOKED_AT])
  return new Map(rows.map(({ subject_id, at }) => [subject_id, at]))
}

const DELETED_CHECKS = `SELECT DISTINCT subject_id FROM audit WHERE subject_kind = 'check' AND action = 'delete'`

/** Returns which of the checks were deleted. Reads the complete audit log, because a check may have been deleted in another project. */
export async function findDeletedChecks(sql: Sql, checkIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql.all<{ subject_id: string }>(DELETED_CHECKS, [])
  const deleted = new Set(rows.map(({ subject_id }) => subject_id))
  return new Set(checkIds.filter((id) => deleted.has(uniqueKey(id))))
}

const OLDEST = 'SELECT change_id, n FROM audit WHERE created_at < $1 ORDER BY created_at LIMIT $2'
const DELETE = 'DELETE FROM audit WHERE change_id = $1 AND n = $2'

/** Removes at most `limit` rows that are older than `before` from the audit log, in short transactions. @returns number of removed rows */
export async function deleteAudit(steps: Steps, before: Instant, limit: number): Promise<number> {
  const rows = await steps.read((sql) =>
    sql.all<{ change_id: string; n: number }>(OLDEST, [toMicroseconds(before), limit]),
  )
  return steps.runEach(
    DELETE,
    rows.map(({ change_id, n }) => [change_id, n]),
  )
}
