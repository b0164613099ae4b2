/** Finds logs to shorten: those that pings have marked, and those of projects whose limit was lowered. */
import type { Sql } from './sql/database.ts'

/** A log to shorten, and the ping that marked it. */
export interface Mark {
  readonly checkId: string
  readonly n: number
}

const MARK = `
  INSERT INTO overgrown_logs (check_id, n) VALUES ($1, $2) ON CONFLICT (check_id) DO UPDATE SET n = excluded.n`

export async function markLogs(sql: Sql, marks: readonly Mark[]): Promise<void> {
  if (marks.length === 0) return
  // Marks are written in the same order in which retention removes them, so that the two writes cannot deadlock.
  const inOrder = marks.toSorted((a, b) => (a.checkId < b.checkId ? -1 : 1))
  await sql.runEach(
    MARK,
    inOrder.map(({ checkId, n }) => [checkId, n]),
  )
}

// Keeps the mark if the log was marked again in the meantime.
const UNMARK = 'DELETE FROM overgrown_logs WHERE check_id = $1 AND n = $2'

// If the project is being swept, restarts the sweep. The process doing the sweep can tell, because the stored number has changed to a
// different negative one.
const MARK_PROJECTS = `
  INSERT INTO overgrown_projects (project_id, done_until) SELECT id, -1 FROM projects WHERE id = $1 OR $1 IS NULL
  ON CONFLICT (project_id) DO UPDATE SET done_until =
    CASE WHEN overgrown_projects.done_until < 0 THEN overgrown_projects.done_until - 1 ELSE -1 END`

/**
 * Marks projects whose limit was lowered. Takes the same time regardless of the number of checks.
 * @param projectId null for all projects
 */
export async function markProjects(sql: Sql, projectId: string | null): Promise<void> {
  await sql.run(MARK_PROJECTS, [projectId])
}

/** One step of a sweep through a project's checks. */
interface SweepStep {
  readonly projectId: string
  readonly doneUntil: number
  readonly checkIds: readonly string[]
  /** `created_at` of the last check of this step; null if no checks follow */
  readonly nextUntil: number | null
}

interface Overgrown {
  readonly marks: readonly Mark[]
  readonly sweep: SweepStep | null
}

const MARKED = 'SELECT check_id AS "checkId", n FROM overgrown_logs WHERE check_id > $2 ORDER BY check_id LIMIT $1'
const MARKED_PROJECT = 'SELECT project_id, done_until FROM overgrown_projects LIMIT 1'
const NEXT_CHECKS = `
  SELECT id, created_at FROM checks WHERE project_id = $1 AND created_at > $2 ORDER BY created_at LIMIT $3`

/**
 * Returns the current marks: logs to shorten, and the next step through a project.
 * @param limit maximum number of marks, and of checks in a step
 * @param after id of the check after which to continue; marks are sorted by check id
 */
export async function findOvergrown(sql: Sql, limit: number, after: string): Promise<Overgrown> {
  const marks = await sql.all<Mark>(MARKED, [limit, after])
  const project = await sql.get<{ project_id: string; done_until: number }>(MARKED_PROJECT, [])
  if (!project) return { marks, sweep: null }
  const { project_id: projectId, done_until: doneUntil } = project
  const checks = await sql.all<{ id: string; created_at: number }>(NEXT_CHECKS, [projectId, doneUntil, limit])
  const nextUntil = checks.length < limit ? null : (checks.at(-1)?.created_at ?? null)
  return { marks, sweep: { projectId, doneUntil, checkIds: checks.map(({ id }) => id), nextUntil } }
}

// These statements change nothing if the project was marked again in the meantime.
const ADVANCE_SWEEP = 'UPDATE overgrown_projects SET done_until = $3 WHERE project_id = $1 AND done_until = $2'
const END_SWEEP = 'DELETE FROM overgrown_projects WHERE project_id = $1 AND done_until = $2'

/** Removes the marks of logs that were shortened. */
export async function recordShortened(sql: Sql, { marks, sweep }: Overgrown): Promise<void> {
  await sql.runEach(
    UNMARK,
    marks.map(({ checkId, n }) => [checkId, n]),
  )
  if (sweep) await recordSweep(sql, sweep)
}

async function recordSweep(sql: Sql, { projectId, doneUntil, nextUntil }: SweepStep): Promise<void> {
  if (nextUntil === null) await sql.run(END_SWEEP, [projectId, doneUntil])
  else await sql.run(ADVANCE_SWEEP, [projectId, doneUntil, nextUntil])
}
