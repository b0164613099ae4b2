/**
 * Stages projects that an import is creating, in short transactions. Other queries do not find them, because the project has a `staged_at`
 * and its checks have negative counter ids. `interface/imports.ts` describes the process.
 */
import { type Instant, toMicroseconds } from '../../lib/time.ts'
import { enrollProject } from '../advice/enrollment.ts'
import { insertChannel } from '../channels/channels.ts'
import type { ImportingProject, ProjectImport, StagedProject } from '../interface/imports.ts'
import { columns, instant, text } from '../sql/columns.ts'
import type { Sql } from '../sql/database.ts'
import { allOf } from '../sql/key-lists.ts'
import { KEYS } from '../sql/rows.ts'
import type { Steps } from '../sql/steps.ts'
import { PROJECTS } from '../tables/projects.ts'
import { findClashes, refuseClashes } from './import-clashes.ts'
import { insertChecks, type NewChecks } from './imported-checks.ts'
import { interrupted, lockImports } from './staged-logs.ts'

const CHANNELS_HERE = `SELECT id FROM channels WHERE id IN (${KEYS})`
const STAGE = 'UPDATE projects SET staged_at = $2 WHERE id = $1'

/**
 * Starts staging a project, beginning with its integrations. Its names are not reserved until it becomes visible.
 * @throws Refusal `import-clash` about the first clash that `findClashes` returns, `import-interrupted` if another import is creating it
 */
export async function beginProject(sql: Sql, order: ProjectImport, importId: string, now: Instant): Promise<void> {
  await lockImports(sql)
  const { project, channels } = order
  await sql.lock('project', [project.id])
  refuseClashes(await findClashes(sql, order))
  const here = await sql.get('SELECT 1 FROM projects WHERE id = $1', [project.id])
  // Another import has staged the project or some of its channels.
  const channelIds = channels.map(({ id }) => id)
  if (here !== null || (await allOf(sql, CHANNELS_HERE, channelIds)).length > 0) throw interrupted()
  await PROJECTS.insert(sql, { ...project, name: '', slug: `staged ${project.id}`, badgeKey: importId })
  await sql.run(STAGE, [project.id, toMicroseconds(now)])
  for (const channel of channels) await insertChannel(sql, channel)
}

const CHANNELS = 'SELECT id FROM channels WHERE project_id = $1'

export async function stageChecks(sql: Sql, staged: ImportingProject, checks: NewChecks, now: Instant): Promise<void> {
  await lockImports(sql)
  await sql.lock('project', [staged.projectId])
  await requireStaged(sql, staged)
  const channels = await sql.all<{ id: string }>(CHANNELS, [staged.projectId])
  await insertChecks(sql, staged.projectId, checks, new Set(channels.map(({ id }) => id)), 'staged')
  await sql.run(STAGE, [staged.projectId, toMicroseconds(now)])
}

const STAGED_BY = 'SELECT 1 FROM projects WHERE id = $1 AND badge_key = $2 AND staged_at IS NOT NULL'

/** @throws Refusal `import-interrupted` if the staged project no longer exists or another import is now creating it */
async function requireStaged(sql: Sql, { projectId, importId }: ImportingProject): Promise<void> {
  if ((await sql.get(STAGED_BY, [projectId, importId])) === null) throw interrupted()
}

const COUNT_CHECKS = 'SELECT COUNT(*) AS count FROM checks WHERE project_id = $1'
const SHOW_PROJECT = 'UPDATE projects SET name = $2, slug = $3, badge_key = $4, staged_at = NULL WHERE id = $1'
const SHOW_CHECKS = 'UPDATE checks SET counter_id = -counter_id WHERE project_id = $1'

/**
 * Makes a staged project visible. After the transaction, all queries find it. The caller must have locked the imports, the project and the
 * project's names, and made sure that the names are free.
 */
export async function showProject(sql: Sql, { project, checks }: ProjectImport, importId: string): Promise<void> {
  await requireStaged(sql, { projectId: project.id, importId })
  const row = await sql.get<{ count: number }>(COUNT_CHECKS, [project.id])
  if (row?.count !== checks.length) throw interrupted()
  await sql.run(SHOW_PROJECT, [project.id, project.name, project.slug, project.badgeKey])
  await sql.run(SHOW_CHECKS, [project.id])
  await enrollProject(sql, project.id)
}

const LIST = 'SELECT id, staged_at FROM projects WHERE staged_at IS NOT NULL ORDER BY id'

const STAGED = columns<StagedProject>({ id: text, stagedAt: instant })

/** Lists the staged projects of all imports that have not finished. */
export function listStagedProjects(sql: Sql): Promise<StagedProject[]> {
  return STAGED.all(sql, LIST, [])
}

const IS_STAGED = 'SELECT 1 FROM projects WHERE id = $1 AND staged_at = $2'
const SOME_CHECKS = 'SELECT id FROM checks WHERE project_id = $1 ORDER BY created_at LIMIT $2'
const CHECKS_AT_ONCE = 50
const REMOVE_CHECK = [
  'DELETE FROM counters WHERE counter_id = (SELECT -counter_id FROM checks WHERE id = $1)',
  'DELETE FROM checks WHERE id = $1',
]

/**
 * Drops some checks of a staged project in one short transaction. Drops the project too when no checks are left. Their logs stay staged.
 * Does nothing if the project has grown in the meantime.
 * @returns true if something is left, so that another call is needed
 */
export function dropStagedProject(steps: Steps, { id, stagedAt }: StagedProject): Promise<boolean> {
  return steps.write(async (sql) => {
    await lockImports(sql)
    await sql.lock('project', [id])
    // An import may have dropped the project and started staging it again.
    if ((await sql.get(IS_STAGED, [id, toMicroseconds(stagedAt)])) === null) return false
    const checks = await sql.all<{ id: string }>(SOME_CHECKS, [id, CHECKS_AT_ONCE])
    for (const statement of REMOVE_CHECK) {
      await sql.runEach(
        statement,
        checks.map((check) => [check.id]),
      )
    }
    if (checks.length === CHECKS_AT_ONCE) return true
    await sql.run('DELETE FROM projects WHERE id = $1', [id])
    return false
  })
}
