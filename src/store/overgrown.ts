/** Which logs wait to be shortened: those that pings have marked, and those of projects whose limits were lowered. */
import type { Sql } from './database.ts'

/** A log that is asked to be shortened, and by which ping. */
export interface Mark {
  readonly checkId: string
  readonly n: number
}

const MARK = `
  INSERT INTO overgrown_logs (check_id, n) VALUES ($1, $2) ON CONFLICT (check_id) DO UPDATE SET n = excluded.n`

export async function markLogs(sql: Sql, marks: readonly Mark[]): Promise<void> {
  if (marks.length === 0) return
  await sql.runEach(
    MARK,
    marks.map(({ checkId, n }) => [checkId, n]),
  )
}

/** Of a log that was marked once more meanwhile, the mark stays. */
export const UNMARK = 'DELETE FROM overgrown_logs WHERE check_id = $1 AND n = $2'

// A project that is gone through already begins again, by another number each time: whoever is at its first checks notices.
const MARK_PROJECTS = `
  INSERT INTO overgrown_projects (project_id, done_until) SELECT id, -1 FROM projects WHERE $1 IS NULL OR id = $1
  ON CONFLICT (project_id) DO UPDATE SET done_until = CASE WHEN done_until < 0 THEN done_until - 1 ELSE -1 END`

/** Costs the same however many checks there are. @param projectId null for all projects */
export async function markProjects(sql: Sql, projectId: string | null): Promise<void> {
  await sql.run(MARK_PROJECTS, [projectId])
}

/** A project that is gone through: the next checks of it. */
export interface Passage {
  readonly projectId: string
  readonly doneUntil: number
  readonly checkIds: readonly string[]
  /** `created_at` of the last of them; null when there are no more after them */
  readonly nextUntil: number | null
}

export interface Overgrown {
  readonly marks: readonly Mark[]
  readonly passage: Passage | null
}

const MARKED = 'SELECT check_id AS "checkId", n FROM overgrown_logs WHERE check_id > $2 ORDER BY check_id LIMIT $1'
const MARKED_PROJECT = 'SELECT project_id, done_until FROM overgrown_projects LIMIT 1'
const NEXT_CHECKS = `
  SELECT id, created_at FROM checks WHERE project_id = $1 AND created_at > $2 ORDER BY created_at LIMIT $3`

/**
 * @param limit marks, and as many checks of one project
 * @param after marks come in the order of the checks' ids, from that one on
 */
export async function findOvergrown(sql: Sql, limit: number, after: string): Promise<Overgrown> {
  const marks = await sql.all<Mark>(MARKED, [limit, after])
  const project = await sql.get<{ project_id: string; done_until: number }>(MARKED_PROJECT, [])
  if (!project) return { marks, passage: null }
  const { project_id: projectId, done_until: doneUntil } = project
  const checks = await sql.all<{ id: string; created_at: number }>(NEXT_CHECKS, [projectId, doneUntil, limit])
  const nextUntil = checks.length < limit ? null : (checks.at(-1)?.created_at ?? null)
  return { marks, passage: { projectId, doneUntil, checkIds: checks.map(({ id }) => id), nextUntil } }
}

// Nothing of a project that was marked once more meanwhile.
const GO_ON = 'UPDATE overgrown_projects SET done_until = $3 WHERE project_id = $1 AND done_until = $2'
const ARRIVE = 'DELETE FROM overgrown_projects WHERE project_id = $1 AND done_until = $2'

/** Once the logs of the passage are short. */
export async function endPassage(sql: Sql, { projectId, doneUntil, nextUntil }: Passage): Promise<void> {
  if (nextUntil === null) await sql.run(ARRIVE, [projectId, doneUntil])
  else await sql.run(GO_ON, [projectId, doneUntil, nextUntil])
}
