/** Marks what the search must read again; `search.ts` does so later. */
import type { Sql } from './database.ts'

export const MARK_CHECK = 'INSERT INTO unread_checks (check_id) VALUES ($1) ON CONFLICT DO NOTHING'
const MARK_PROJECT = `
  INSERT INTO unread_projects (project_id, done_until) VALUES ($1, -1) ON CONFLICT (project_id) DO UPDATE SET done_until = -1`

/** For a check that came to another project. Takes the same time however long its log is. */
export async function rereadCheck(sql: Sql, checkId: string): Promise<void> {
  await sql.run(MARK_CHECK, [checkId])
}

/** For a project that was switched. Takes the same time however many checks it has. */
export async function rereadProject(sql: Sql, projectId: string): Promise<void> {
  await sql.run(MARK_PROJECT, [projectId])
}
