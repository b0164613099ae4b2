/** Marks log entries that must be reindexed for the search. `search.ts` indexes them later. */
import type { Sql } from '../sql/database.ts'

// The statement updates an existing mark, so that a process that removes the mark has to wait for this write.
export const MARK_CHECK = `
  INSERT INTO unread_checks (check_id) VALUES ($1) ON CONFLICT (check_id) DO UPDATE SET check_id = excluded.check_id`
// If the project is being swept, restarts the sweep. The process doing the sweep can tell, because the stored number has changed to a
// different negative one.
const MARK_PROJECT = `
  INSERT INTO unread_projects (project_id, done_until) VALUES ($1, -1)
  ON CONFLICT (project_id) DO UPDATE SET done_until =
    CASE WHEN unread_projects.done_until < 0 THEN unread_projects.done_until - 1 ELSE -1 END`

/** Marks a check that was moved to another project, so that its log is reindexed. Takes the same time regardless of the log's length. */
export async function rereadCheck(sql: Sql, checkId: string): Promise<void> {
  await sql.run(MARK_CHECK, [checkId])
}

/**
 * Marks a project for which search was turned on or off, so that its logs are reindexed. Takes the same time regardless of the number of
 * checks.
 */
export async function rereadProject(sql: Sql, projectId: string): Promise<void> {
  await sql.run(MARK_PROJECT, [projectId])
}
