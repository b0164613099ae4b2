/** Enrolls checks for examination: new checks, and checks that an earlier version of the program created. */
import { uniqueKey } from '../../domain/check/unique-key.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import { lastTimed } from '../audit.ts'
import type { EnrolledUpTo } from '../interface/advice.ts'
import { SHOWN_CHECK } from '../sql/check-rows.ts'
import type { Sql } from '../sql/database.ts'
import type { Steps } from '../sql/steps.ts'

const ENROLL = `
  INSERT INTO advice (check_id, project_id, look_after, looked_n, changed_at)
  SELECT id, project_id, $2, 0, COALESCE($3, created_at) FROM checks WHERE id = $1 ON CONFLICT (check_id) DO NOTHING`

/** Enrolls checks when they are created. */
export async function enrollChecks(sql: Sql, checkIds: readonly string[]): Promise<void> {
  await sql.runEach(
    ENROLL,
    checkIds.map((id) => [id, 0, null]),
  )
}

const ENROLL_PROJECT = `
  INSERT INTO advice (check_id, project_id, look_after, looked_n, changed_at)
  SELECT id, project_id, 0, 0, created_at FROM checks WHERE project_id = $1`

/** Enrolls all of a project's checks when the project becomes visible. */
export async function enrollProject(sql: Sql, projectId: string): Promise<void> {
  await sql.run(ENROLL_PROJECT, [projectId])
}

const SOME_CHECKS = `
  SELECT id, created_at, CASE WHEN EXISTS (SELECT 1 FROM advice WHERE check_id = checks.id) THEN 1 ELSE 0 END AS is_enrolled
  FROM checks WHERE project_id = $1 AND created_at > $2 AND ${SHOWN_CHECK} ORDER BY created_at LIMIT $3`
/** Number of checks to read per step. Reading a million checks takes two thousand steps. */
const READ_AT_ONCE = 500
const ENROLLED_AT_ONCE = 25

/**
 * Enrolls the next few checks that are not enrolled yet, project by project.
 * @param after null for the first call
 * @returns the value of `after` for the next call; null after the last check
 */
export async function enrollMissing(
  steps: Steps,
  after: EnrolledUpTo | null,
  now: Instant,
): Promise<EnrolledUpTo | null> {
  const from = after ?? (await nextProject(steps, ''))
  if (from === null) return null
  const { projectId, createdAt } = from
  const rows = await steps.read((sql) =>
    sql.all<{ id: string; created_at: number; is_enrolled: number }>(SOME_CHECKS, [projectId, createdAt, READ_AT_ONCE]),
  )
  const missing = rows.filter(({ is_enrolled }) => is_enrolled === 0).map(({ id }) => id)
  const timed =
    missing.length === 0 ? from.timed : (from.timed ?? (await steps.read((sql) => lastTimed(sql, projectId))))
  await steps.each(missing, {
    atOnce: () => ENROLLED_AT_ONCE,
    work: async (sql, some) => {
      await sql.lock('check', some)
      await sql.runEach(
        ENROLL,
        some.map((id) => [id, toMicroseconds(now), timed?.get(uniqueKey(id)) ?? null]),
      )
      return some.length
    },
  })
  const last = rows.length < READ_AT_ONCE ? undefined : rows.at(-1)
  return last === undefined ? nextProject(steps, projectId) : { projectId, createdAt: last.created_at, timed }
}

const NEXT_PROJECT = 'SELECT MIN(id) AS id FROM projects WHERE id > $1'

async function nextProject(steps: Steps, after: string): Promise<EnrolledUpTo | null> {
  const row = await steps.read((sql) => sql.get<{ id: string | null }>(NEXT_PROJECT, [after]))
  const projectId = row?.id ?? null
  // If the machine's clock was wrong, a check's creation date may be before 1970.
  return projectId === null ? null : { projectId, createdAt: Number.MIN_SAFE_INTEGER, timed: null }
}
