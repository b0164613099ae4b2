/** Deletes projects: most of their rows in steps beforehand, the rest in one transaction. */
import { auditedProject } from '../../domain/audit/subjects.ts'
import type { AuditTrail } from '../audit.ts'
import { deleteCheck } from '../checks.ts'
import type { Sql } from '../database.ts'
import { findProject } from '../projects.ts'

const CHECKS = 'SELECT id FROM checks WHERE project_id = $1 ORDER BY id'

/** Foreign keys delete its members, keys, integrations and what belongs to these. */
export async function deleteProject(sql: Sql, id: string, trail: AuditTrail): Promise<boolean> {
  await sql.lock('project', [id])
  const project = await findProject(sql, id)
  if (!project) return false
  const checkIds = (await sql.all<{ id: string }>(CHECKS, [id])).map((check) => check.id)
  await sql.lock('check', checkIds)
  for (const checkId of checkIds) await deleteCheck(sql, checkId, trail)
  await sql.run('DELETE FROM projects WHERE id = $1', [id])
  await trail.note(auditedProject(project), null)
  return true
}
