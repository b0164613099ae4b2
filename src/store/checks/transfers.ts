/** Moves a check to another project. */
import { auditedCheck } from '../../domain/audit/subjects.ts'
import type { CheckWithChannels } from '../../domain/check/representation.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import { moveAdvice } from '../advice/looks.ts'
import type { AuditTrail } from '../audit.ts'
import { assignAllChannels } from '../channels/channels.ts'
import { endReminders, startReminders } from '../channels/mailing-dates.ts'
import { movePingSilence } from '../incidents/silences.ts'
import { markLogs } from '../overgrown.ts'
import { findProject } from '../projects/projects.ts'
import { rereadCheck } from '../revisions/rereads.ts'
import type { Sql } from '../sql/database.ts'
import { findCheck } from './checks.ts'
import { DELETE_PENDING } from './flips.ts'

const CREATED_AT = 'SELECT 1 FROM checks WHERE project_id = $1 AND created_at = $2'
const MOVE = 'UPDATE checks SET project_id = $2, created_at = $3 WHERE id = $1'

/** Moves a check to another project. @returns null if the project `from` has no such check, or the project `to` does not exist */
export async function transferCheck(
  sql: Sql,
  trail: AuditTrail,
  id: string,
  { from, to }: { readonly from: string; readonly to: string },
  now: Instant,
): Promise<CheckWithChannels | null> {
  await sql.lock('project', [from, to])
  await sql.lock('check', [id])
  const before = await findCheck(sql, id)
  if (before?.check.projectId !== from || from === to || !(await findProject(sql, to))) return null
  await sql.run(DELETE_PENDING, [id])
  await sql.run('DELETE FROM check_channels WHERE check_id = $1', [id])
  await sql.run(MOVE, [id, to, await freeCreatedAt(sql, to, toMicroseconds(before.check.createdAt))])
  await moveAdvice(sql, id, to)
  await movePingSilence(sql, id, to, now)
  await assignAllChannels(sql, id, to)
  // The log may be longer than the new project allows.
  await markLogs(sql, [{ checkId: id, n: before.check.nPings }])
  // The words indexed for the check's log are still assigned to the former project.
  await rereadCheck(sql, id)
  if (before.check.status === 'down') {
    await sql.lock('reminders', [from, to])
    await endReminders(sql, from)
    await startReminders(sql, to, now)
  }
  const after = await findCheck(sql, id)
  await trail.note(transferred(before), null)
  await trail.note(null, after && transferred(after))
  return after
}

/**
 * Returns `wanted`, or the first time after it at which none of the project's checks was created. Checks are sorted by creation time, so it
 * must be unique.
 */
async function freeCreatedAt(sql: Sql, projectId: string, wanted: number): Promise<number> {
  let createdAt = wanted
  while ((await sql.get(CREATED_AT, [projectId, createdAt])) !== null) createdAt += 1
  return createdAt
}

/**
 * Returns a transferred check as it is recorded in both projects' audit logs: as removed from one project, and as added to the other.
 * Neither log names the other project.
 */
function transferred(found: CheckWithChannels) {
  const audited = auditedCheck(found)
  return { ...audited, values: { ...audited.values, transferred: true } }
}
