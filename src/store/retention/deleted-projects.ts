/** Deletes projects. Most of a project's rows are deleted step by step first, and the rest in one transaction. */
import { auditedContents } from '../../domain/audit/subjects.ts'
import type { AuditTrail } from '../audit.ts'
import { lockChecks } from '../checks/bulk.ts'
import { endCheck } from '../checks/check-changes.ts'
import { countContents, findProject } from '../projects/projects.ts'
import type { Sql } from '../sql/database.ts'

/** Deletes some of a project's checks. The audit log counts them in one row about the project. @returns the ids of the deleted checks */
export async function deleteProjectChecks(
  sql: Sql,
  trail: AuditTrail,
  projectId: string,
  publicIds: readonly string[],
): Promise<string[]> {
  const ids = (await lockChecks(sql, projectId, publicIds)).map(({ id }) => id)
  for (const id of ids) await endCheck(sql, id)
  const project = await findProject(sql, projectId)
  if (project) {
    const { checks } = await countContents(sql, projectId)
    const before = auditedContents(project, { checks: checks + ids.length })
    await trail.note(before, auditedContents(project, { checks }))
  }
  return ids
}

const CHECKS = 'SELECT id FROM checks WHERE project_id = $1 ORDER BY id'

/**
 * Deletes the project with its remaining data. Foreign keys delete its members, keys and integrations, and the data that belongs to these.
 * The time that this takes depends on the number of checks and alerts, so delete most of them first. The audit log gets one row, which
 * counts what was deleted with the project.
 * @param deletedChecks number of checks that {@link deleteProjectChecks} has deleted beforehand
 * @returns false if there is no such project
 */
export async function deleteProject(sql: Sql, trail: AuditTrail, id: string, deletedChecks: number): Promise<boolean> {
  await sql.lock('project', [id])
  const project = await findProject(sql, id)
  if (!project) return false
  const { channels, members } = await countContents(sql, id)
  const checkIds = (await sql.all<{ id: string }>(CHECKS, [id])).map((check) => check.id)
  await sql.lock('check', checkIds)
  for (const checkId of checkIds) await endCheck(sql, checkId)
  await sql.run('DELETE FROM projects WHERE id = $1', [id])
  const checks = deletedChecks + checkIds.length
  await trail.note(auditedContents(project, { checks, channels, members }), null)
  return true
}
