/** Marks what the search must read again; `search.ts` does so later. */
import type { Sql } from '../sql/database.ts'

// The update of a mark that is there already makes its removal wait for this write.
export const MARK_CHECK = `
  INSERT INTO unread_checks (check_id) VALUES ($1) ON CONFLICT (check_id) DO UPDATE SET check_id = excluded.check_id`
// If a sweep of the project is under way, it starts again; a different negative number tells its process so.
const MARK_PROJECT = `
  INSERT INTO unread_projects (project_id, done_until) VALUES ($1, -1)
  ON CONFLICT (project_id) DO UPDATE SET done_until =
    CASE WHEN unread_projects.done_until < 0 THEN unread_projects.done_until - 1 ELSE -1 END`

/** Marks a check that came to another project: the search reads its log again. Takes the same time however long its log is. */
export async function rereadCheck(sql: Sql, checkId: string): Promise<void> {
  await sql.run(MARK_CHECK, [checkId])
}

/** Marks a project whose search was switched: its logs are read again. Takes the same time however many checks it has. */
export async function rereadProject(sql: Sql, projectId: string): Promise<void> {
  await sql.run(MARK_PROJECT, [projectId])
}
