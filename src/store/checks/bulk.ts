/** Changes several checks of one project in one transaction. Callers must pass only a few checks at a time. */
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import type { Instant } from '../../lib/time.ts'
import type { AuditTrail } from '../audit.ts'
import { listChannels } from '../channels/channels.ts'
import type {
  ChangedCheck,
  Creation,
  CreationKeeping,
  DecideEach,
  DecideUndo,
  UndoKeeping,
  UndoKey,
  UndoneChecks,
} from '../interface/checks.ts'
import type { Rules } from '../interface/rules.ts'
import type { Sql } from '../sql/database.ts'
import { createCheck, deleteCheck, hasSlug, writeChange } from './check-changes.ts'
import { FIND_LISTED, type ListedRow, toListed } from './checks.ts'
import { findUndo, isKept, keepUndo, removeUndo } from './undos.ts'

const FIND_ID = 'SELECT id FROM checks WHERE public_id = $1 AND project_id = $2'

/**
 * Locks the checks with these public ids, and returns them in the order of their ids. Incidents are locked in the same order when a user
 * ends a silence.
 */
export async function lockChecks(sql: Sql, projectId: string, publicIds: readonly string[]): Promise<ListedRow[]> {
  const found = await sql.getEach<{ id: string }>(
    FIND_ID,
    publicIds.map((publicId) => [publicId, projectId]),
  )
  const ids = found.flatMap((row) => row?.id ?? []).toSorted()
  await sql.lock('check', ids)
  const rows = await sql.getEach<ListedRow>(
    FIND_LISTED,
    ids.map((id) => [id]),
  )
  // A check may have been deleted or transferred before it was locked.
  return rows.filter((row) => row !== null).filter((row) => row.project_id === projectId)
}

export async function changeChecks(
  sql: Sql,
  trail: AuditTrail,
  projectId: string,
  publicIds: readonly string[],
  decide: DecideEach,
  rules: Rules,
  keeping: UndoKeeping | null | undefined,
): Promise<ChangedCheck[]> {
  const rows = await lockChecks(sql, projectId, publicIds)
  const changed = await changeLocked(sql, trail, projectId, rows, decide, rules)
  if (keeping) {
    const steps = changed.map((one) => ({ publicId: one.before.check.publicId, undo: keeping.undoOf(one) }))
    await keepUndo(sql, keeping, steps)
  }
  return changed
}

/** Creates checks. @returns the created checks, in the given order. Checks whose slug is taken are not created */
export async function createChecks(
  sql: Sql,
  trail: AuditTrail,
  projectId: string,
  creations: readonly Creation[],
  rules: Rules,
  keeping: CreationKeeping,
): Promise<CheckWithChannels[]> {
  await sql.lock('project', [projectId])
  const channels = await listChannels(sql, projectId)
  const created: CheckWithChannels[] = []
  for (const { fresh, decide } of creations) {
    const change = decide(fresh, channels)
    if (await hasSlug(sql, projectId, change.check.slug)) continue
    created.push(await createCheck(sql, trail, change, rules))
  }
  const steps = created.map((one) => ({ publicId: one.check.publicId, undo: keeping.undoOf(one) }))
  await keepUndo(sql, keeping, steps)
  return created
}

async function changeLocked(
  sql: Sql,
  trail: AuditTrail,
  projectId: string,
  rows: readonly ListedRow[],
  decide: DecideEach,
  rules: Rules,
): Promise<ChangedCheck[]> {
  if (rows.length === 0) return []
  const channels = await listChannels(sql, projectId)
  const changed: ChangedCheck[] = []
  for (const row of rows) {
    const before = toListed(row)
    const change = decide(before, channels)
    if (change === null) continue
    await writeChange(sql, trail, row.counter_id, before, change, rules)
    changed.push({ before, change })
  }
  return changed
}

/** The result of {@link undoChecks}, and the ids of the checks that the undo changed. */
export interface UndoneStep extends UndoneChecks {
  readonly checkIds: readonly string[]
}

export async function undoChecks(
  sql: Sql,
  trail: AuditTrail,
  key: UndoKey,
  now: Instant,
  decide: DecideUndo,
  rules: Rules,
): Promise<UndoneStep | null> {
  const kept = await findUndo(sql, key, now)
  if (kept === null) return null
  const undos = new Map(kept.steps.map(({ publicId, undo }) => [publicId, undo]))
  const deleted: string[] = []
  const decideEach: DecideEach = (before, channels) => {
    const undo = undos.get(before.check.publicId)
    const decided = undo ? decide(before, undo, channels) : null
    if (decided !== 'delete') return decided
    deleted.push(before.check.id)
    return null
  }
  const rows = await lockChecks(sql, key.projectId, [...undos.keys()])
  // Another process may have undone the change while this process waited for the checks' locks.
  if (!(await isKept(sql, kept))) return null
  const changed = await changeLocked(sql, trail, key.projectId, rows, decideEach, rules)
  for (const id of deleted) await deleteCheck(sql, trail, id)
  const checkIds = [...changed.map(({ before }) => before.check.id), ...deleted]
  // If no checks are given, this process did not wait for any lock, so another process may have removed the undo in the meantime.
  if (!(await removeUndo(sql, kept)) && checkIds.length === 0) return null
  const undone = checkIds.length
  return { undone, deleted: deleted.length, kept: undos.size - undone, left: kept.left, checkIds }
}

/** Deletes checks. @returns the ids of the deleted checks */
export async function deleteChecks(
  sql: Sql,
  trail: AuditTrail,
  projectId: string,
  publicIds: readonly string[],
): Promise<string[]> {
  const rows = await lockChecks(sql, projectId, publicIds)
  for (const { id } of rows) await deleteCheck(sql, trail, id)
  return rows.map(({ id }) => id)
}
