/** Creates, changes and deletes checks. */
import { auditedCheck } from '../../domain/audit/subjects.ts'
import type { Check, UniqueField } from '../../domain/check/check.ts'
import { followingPublicId } from '../../domain/check/public-id.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import { fromMicroseconds, type Instant, toMicroseconds } from '../../lib/time.ts'
import { reviseAdvice } from '../advice/after-edit.ts'
import { enrollChecks } from '../advice/enrollment.ts'
import type { AuditTrail } from '../audit.ts'
import { assignChannels, listChannels } from '../channels/channels.ts'
import { endReminders, startReminders } from '../channels/mailing-dates.ts'
import { FORGET_INCIDENT, reopenIncident } from '../incidents/ends.ts'
import { forgetPingSilence, wakeIncident } from '../incidents/silences.ts'
import type { CheckChange, DecideChange } from '../interface/checks.ts'
import type { Rules } from '../interface/rules.ts'
import {
  CHECK_COLUMNS,
  type CheckRow,
  checkValues,
  SETTINGS_COLUMNS,
  STATUS_COLUMNS,
  settingsValues,
  statusValues,
  UPDATE_STATUS,
} from '../sql/check-rows.ts'
import type { Sql, Value } from '../sql/database.ts'
import { assignments, placeholders, quoted } from '../sql/rows.ts'
import { FIND_CHECK, findCheck, withChannels } from './checks.ts'
import { insertCounters, writeCounters } from './counters.ts'
import { insertFlips } from './flips.ts'

const INSERT = `INSERT INTO checks (${quoted(CHECK_COLUMNS)}) VALUES (${placeholders(CHECK_COLUMNS.length)})`
const NEWEST = 'SELECT MAX(created_at) AS created_at FROM checks WHERE project_id = $1'

/**
 * Inserts a check. The caller must have locked the project. If needed, moves `createdAt` past that of the project's newest check, because
 * checks are sorted by it. Replaces a `publicId` that is taken.
 * @returns the stored check
 */
export async function insertCheck(sql: Sql, check: Check, alertAfter: Instant | null): Promise<Check> {
  const newest = await sql.get<{ created_at: number | null }>(NEWEST, [check.projectId])
  const createdAt = Math.max(toMicroseconds(check.createdAt), (newest?.created_at ?? 0) + 1)
  const publicId = await freePublicId(sql, check.publicId)
  const stored = { ...check, publicId, createdAt: fromMicroseconds(createdAt) }
  await sql.run(INSERT, checkValues(stored, await insertCounters(sql, check), alertAfter))
  await enrollChecks(sql, [stored.id])
  return stored
}

/** Selects a row if the public id is taken. */
export const OF_PUBLIC_ID = 'SELECT 1 FROM checks WHERE public_id = $1'

async function freePublicId(sql: Sql, wanted: string): Promise<string> {
  await sql.lock('public ids')
  let publicId = wanted
  while ((await sql.get(OF_PUBLIC_ID, [publicId])) !== null) publicId = followingPublicId(publicId)
  return publicId
}

const WRITTEN = [...STATUS_COLUMNS, ...SETTINGS_COLUMNS]
const UPDATE = `UPDATE checks SET ${assignments(WRITTEN)} WHERE id = $${WRITTEN.length + 1}`

const COUNTER_ID = 'SELECT counter_id FROM checks WHERE id = $1'

/** Writes the state of a check that the caller has locked. @param alertAfter when the loop next examines the check */
export async function writeState(sql: Sql, check: Check, alertAfter: Instant | null): Promise<void> {
  await sql.run(UPDATE_STATUS, [...statusValues(check, alertAfter), check.id])
  const row = await sql.get<{ counter_id: number }>(COUNTER_ID, [check.id])
  if (row) await writeCounters(sql, [{ counterId: row.counter_id, check }])
}

const UNDO_FLIP = 'DELETE FROM events WHERE check_id = $1 AND n = $2'

/** Writes a change to a check that the caller has locked. @returns the changed check */
export async function writeChange(
  sql: Sql,
  trail: AuditTrail,
  counterId: number,
  before: CheckWithChannels,
  { check, flip, undoneFlip, channelIds }: CheckChange,
  rules: Rules,
): Promise<CheckWithChannels> {
  const stored = statusValues(check, rules.alertAfter(check, null))
  await sql.run(UPDATE, [...stored, ...settingsValues(check), check.id])
  await writeCounters(sql, [{ counterId, check }])
  if (channelIds) await assignChannels(sql, check.id, before.channelIds, channelIds)
  const { projectId, lastSuccessAt } = check
  if (flip) await insertFlips(sql, [{ flip, projectId, lastSuccessAt }], rules)
  if (undoneFlip !== undefined) await undoFlip(sql, check, undoneFlip, rules.now())
  // Silences that did not match the check before may match its new tags.
  if (check.tags !== before.check.tags) await wakeIncident(sql, check.id, rules.now())
  const after = { check, channelIds: channelIds?.toSorted() ?? before.channelIds }
  await reviseAdvice(sql, before, after, rules.now())
  await trail.note(auditedCheck(before), auditedCheck(after))
  return after
}

async function undoFlip(sql: Sql, { id, projectId, status }: Check, n: number, now: Instant): Promise<void> {
  await reopenIncident(sql, id, n)
  await sql.run(UNDO_FLIP, [id, n])
  if (status === 'down') await startReminders(sql, projectId, now)
}

/** Changes a check. @returns null if it does not exist */
export async function changeCheck(
  sql: Sql,
  trail: AuditTrail,
  id: string,
  decide: DecideChange,
  rules: Rules,
): Promise<CheckWithChannels | null> {
  await sql.lock('check', [id])
  const row = await sql.get<CheckRow>(FIND_CHECK, [id])
  if (!row) return null
  const before = await withChannels(sql, row)
  const change = decide(before.check, await listChannels(sql, row.project_id))
  return writeChange(sql, trail, row.counter_id, before, change, rules)
}

const UNIQUE_COLUMNS: Readonly<Record<UniqueField, string>> = {
  name: 'name',
  slug: 'slug',
  tags: 'tags',
  timeout: 'timeout_seconds',
  grace: 'grace_seconds',
}

/** Finds the project's oldest check that matches all criteria. */
async function findMatch(
  sql: Sql,
  projectId: string,
  criteria: ReadonlyMap<UniqueField, string | number>,
): Promise<string | null> {
  const conditions = [...criteria.keys()].map((field, index) => `${UNIQUE_COLUMNS[field]} = $${index + 2}`)
  const values: Value[] = [projectId, ...criteria.values()]
  const row = await sql.get<{ id: string }>(
    `SELECT id FROM checks WHERE project_id = $1 AND ${conditions.join(' AND ')} ORDER BY created_at LIMIT 1`,
    values,
  )
  return row?.id ?? null
}

/**
 * Applies `decide` to the project's oldest check that matches all `criteria`, or to `fresh` if there is none, and stores the result. If
 * needed, moves a new check's `createdAt` past that of the project's newest check, because checks are sorted by it. Replaces a `publicId`
 * that is taken.
 * @param criteria null to always create a check
 */
export async function upsertCheck(
  sql: Sql,
  trail: AuditTrail,
  fresh: Check,
  criteria: ReadonlyMap<UniqueField, string | number> | null,
  decide: DecideChange,
  rules: Rules,
): Promise<CheckWithChannels & { readonly created: boolean }> {
  await sql.lock('project', [fresh.projectId])
  const match = criteria && (await findMatch(sql, fresh.projectId, criteria))
  const changed = match === null ? null : await changeCheck(sql, trail, match, decide, rules)
  if (changed) return { ...changed, created: false }
  const created = await createCheck(sql, trail, decide(fresh, await listChannels(sql, fresh.projectId)), rules)
  return { ...created, created: true }
}

/** Stores a new check. The caller must have locked the project. */
export async function createCheck(
  sql: Sql,
  trail: AuditTrail,
  { check, channelIds = [] }: CheckChange,
  rules: Rules,
): Promise<CheckWithChannels> {
  const stored = await insertCheck(sql, check, rules.alertAfter(check, null))
  await assignChannels(sql, check.id, [], channelIds)
  const created = { check: stored, channelIds: channelIds.toSorted() }
  await trail.note(null, auditedCheck(created))
  return created
}

/** Returns whether a check in the project has this slug; false for an empty slug. */
export async function hasSlug(sql: Sql, projectId: string, slug: string): Promise<boolean> {
  return slug !== '' && (await findMatch(sql, projectId, new Map([['slug', slug]]))) !== null
}

/**
 * Deletes a check. Afterwards, no method finds the check or sends its alerts. `prune` removes its log and events from disk later.
 * @returns the check before it was deleted; null if it does not exist
 */
export async function deleteCheck(sql: Sql, trail: AuditTrail, id: string): Promise<CheckWithChannels | null> {
  const found = await endCheck(sql, id)
  if (found) await trail.note(auditedCheck(found), null)
  return found
}

/** Deletes a check like {@link deleteCheck}, but without a row in the audit log. */
export async function endCheck(sql: Sql, id: string): Promise<CheckWithChannels | null> {
  await sql.lock('check', [id])
  const found = await findCheck(sql, id)
  if (!found) return null
  await removeCheck(sql, id)
  if (found.check.status === 'down') {
    await sql.lock('reminders', [found.check.projectId])
    await endReminders(sql, found.check.projectId)
  }
  return found
}

const FORGET = [
  // Deletes pending deliveries, which must not be sent any more. A delivery without a due time would become due only when one of the
  // deleted deliveries ended, so it does not have to be deleted.
  'DELETE FROM deliveries WHERE check_id = $1 AND next_attempt_at IS NOT NULL',
  FORGET_INCIDENT,
  'DELETE FROM overgrown_logs WHERE check_id = $1',
  'DELETE FROM unread_checks WHERE check_id = $1',
  'DELETE FROM counters WHERE counter_id = (SELECT counter_id FROM checks WHERE id = $1)',
  'DELETE FROM checks WHERE id = $1',
]

/** Hides a check. Takes the same time regardless of the length of its log, because retention removes the log and the events later. */
async function removeCheck(sql: Sql, id: string): Promise<void> {
  await sql.run(sql.statements.rememberDeleted, [id])
  for (const statement of FORGET) await sql.run(statement, [id])
  await forgetPingSilence(sql, id)
}
