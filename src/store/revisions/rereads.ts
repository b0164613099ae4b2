/** Marks entries that the search must index again; `search.ts` does so later. */
import type { Sql } from '../sql/database.ts'

// The update of an existing mark makes its removal wait for this write.
export const MARK_CHECK = `
  INSERT INTO unread_checks (check_id) VALUES ($1) ON CONFLICT (check_id) DO UPDATE SET check_id = excluded.check_id`
// A sweep of the project that is in progress starts again; a different negative number signals that to its process.
const MARK_PROJECT = `
  INSERT INTO unread_projects (project_id, done_until) VALUES ($1, -1)
  ON CONFLICT (project_id) DO UPDATE SET done_until =
    CASE WHEN unread_projects.done_until < 0 THEN unread_projects.done_until - 1 ELSE -1 END`

/**
 * Marks a check that was moved to another project: the search indexes its log again. Takes the same time regardless of the length of its
 * log.
 */
export async function rereadCheck(sql: Sql, checkId: string): Promise<void> {
  await sql.run(MARK_CHECK, [checkId])
}

/** Marks a project whose search was switched: its logs are indexed again. Takes the same time regardless of its number of checks. */
export async function rereadProject(sql: Sql, projectId: string): Promise<void> {
  await sql.run(MARK_PROJECT, [projectId])
}
