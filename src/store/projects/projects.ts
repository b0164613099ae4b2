/** Finds, lists and writes projects. */
import { auditedProject } from '../../domain/audit/subjects.ts'
import { Refusal } from '../../domain/errors.ts'
import type { NewProject, Project, StoredKey } from '../../domain/project.ts'
import type { AuditTrail } from '../audit.ts'
import type {
  ProjectBrief,
  ProjectContents,
  ProjectEdit,
  ProjectOfPerson,
  ProjectSummary,
} from '../interface/projects.ts'
import { markProjects } from '../overgrown.ts'
import { rereadProject } from '../revisions/rereads.ts'
import { columns, flag, number, orNull, word } from '../sql/columns.ts'
import type { Sql } from '../sql/database.ts'
import { PROJECTS, SHOWN_PROJECT } from '../tables/projects.ts'
import { createKey } from './keys.ts'

export async function createProject(
  sql: Sql,
  trail: AuditTrail,
  project: NewProject,
  keys: readonly StoredKey[],
): Promise<Project> {
  await sql.lock('project name', [project.name])
  await requireFreeName(sql, trail, project)
  const created: Project = { ...project, isSearched: true, tz: null }
  await PROJECTS.insert(sql, created)
  await trail.note(null, auditedProject(created))
  for (const key of keys) await createKey(sql, trail, key)
  return created
}

const NAMESAKE = 'SELECT 1 FROM projects WHERE name = $1 AND id <> $2'
export const NAMESAKE_OF = `
  SELECT 1 FROM members JOIN projects ON projects.id = members.project_id
  WHERE members.account_id = $3 AND projects.name = $1 AND projects.id <> $2 LIMIT 1`

/**
 * Checks that none of the user's other projects has the name. Projects of other users may have the same name, because rejecting it would
 * reveal that those projects exist.
 * @throws Refusal `project-name-taken`
 */
async function requireFreeName(
  sql: Sql,
  { author }: AuditTrail,
  { id, name }: Pick<Project, 'id' | 'name'>,
): Promise<void> {
  const namesake = await (author.accountId === null
    ? sql.get(NAMESAKE, [name, id])
    : sql.get(NAMESAKE_OF, [name, id, author.accountId]))
  if (namesake) throw new Refusal('project-name-taken', `a project named "${name}" already exists`, { name })
}

/** Lists all projects, in order of creation. */
export function listProjects(sql: Sql): Promise<Project[]> {
  return PROJECTS.all(sql, `SELECT * FROM projects WHERE ${SHOWN_PROJECT} ORDER BY created_at, id`, [])
}

const FIND = `SELECT * FROM projects WHERE id = $1 AND ${SHOWN_PROJECT}`

export function findProject(sql: Sql, id: string): Promise<Project | null> {
  return PROJECTS.get(sql, FIND, [id])
}

const NAMED = `SELECT * FROM projects WHERE (id = $1 OR name = $1) AND ${SHOWN_PROJECT} ORDER BY created_at, id`

/** Finds the project with this id or, if there is none, all projects with this name, in order of creation. */
export async function findProjects(sql: Sql, idOrName: string): Promise<Project[]> {
  const found = await PROJECTS.all(sql, NAMED, [idOrName])
  const byId = found.filter(({ id }) => id === idOrName)
  return byId.length > 0 ? byId : found
}

const FIND_OF_PERSON = `
  SELECT projects.*, members.role FROM projects
  LEFT JOIN members ON members.project_id = projects.id AND members.account_id = $2
  WHERE projects.slug = $1 AND ${SHOWN_PROJECT}`

const OF_PERSON = columns<ProjectOfPerson>({ project: PROJECTS, role: orNull(word()) })

/** Finds a project by its slug, with the account's role in the project. @returns null if there is no such project */
export function findProjectOfPerson(sql: Sql, slug: string, accountId: string): Promise<ProjectOfPerson | null> {
  return OF_PERSON.get(sql, FIND_OF_PERSON, [slug, accountId])
}

const PLACES_OF_PERSON = `
  SELECT projects.*, members.role FROM members JOIN projects ON projects.id = members.project_id
  WHERE members.account_id = $1 ORDER BY projects.created_at, projects.id`
const ALL_PLACES = `
  SELECT projects.*, members.role FROM projects
  LEFT JOIN members ON members.project_id = projects.id AND members.account_id = $1
  WHERE ${SHOWN_PROJECT} ORDER BY projects.created_at, projects.id`

/**
 * Lists an account's projects, in order of creation. Does not read checks.
 * @param all true to include projects of which the account is not a member
 */
export function listPlacesOfPerson(sql: Sql, accountId: string, all: boolean): Promise<ProjectOfPerson[]> {
  return OF_PERSON.all(sql, all ? ALL_PLACES : PLACES_OF_PERSON, [accountId])
}

const SUMMARY = `
  SELECT projects.*, members.role, COUNT(checks.id) AS checks,
    COUNT(CASE WHEN checks.status = 'down' THEN 1 END) AS down,
    COUNT(CASE WHEN checks.status = 'up' THEN 1 END) AS up,
    COUNT(CASE WHEN checks.status = 'paused' THEN 1 END) AS paused,
    COUNT(CASE WHEN checks.status = 'new' AND checks.n_events = 0 THEN 1 END) AS unpinged,
    EXISTS (SELECT 1 FROM members AS owners WHERE owners.project_id = projects.id AND owners.role = 'owner') AS has_owner`
const WITH_CHECKS = 'LEFT JOIN checks ON checks.project_id = projects.id'
const LIST_OF_PERSON = `
  ${SUMMARY} FROM members JOIN projects ON projects.id = members.project_id ${WITH_CHECKS}
  WHERE members.account_id = $1 GROUP BY projects.id, members.role ORDER BY projects.created_at, projects.id`
const LIST_ALL = `
  ${SUMMARY} FROM projects LEFT JOIN members ON members.project_id = projects.id AND members.account_id = $1 ${WITH_CHECKS}
  WHERE ${SHOWN_PROJECT} GROUP BY projects.id, members.role ORDER BY projects.created_at, projects.id`

const SUMMARIES = columns<ProjectSummary>({
  ...OF_PERSON.members,
  checks: number,
  down: number,
  up: number,
  paused: number,
  unpinged: number,
  hasOwner: flag,
})

/**
 * Lists an account's projects with the states of their checks, in order of creation.
 * @param all true to include projects of which the account is not a member
 */
export function listProjectsOfPerson(sql: Sql, accountId: string, all: boolean): Promise<ProjectSummary[]> {
  return SUMMARIES.all(sql, all ? LIST_ALL : LIST_OF_PERSON, [accountId])
}

const BRIEF = `
  SELECT projects.id, projects.slug, projects.name,
    (SELECT COUNT(*) FROM checks WHERE checks.project_id = projects.id AND checks.status = 'down') AS down`
export const BRIEFS_OF_PERSON = `
  ${BRIEF}, members.role FROM members JOIN projects ON projects.id = members.project_id
  WHERE members.account_id = $1 ORDER BY projects.created_at, projects.id`
const ALL_BRIEFS = `${BRIEF}, 'owner' AS role FROM projects WHERE ${SHOWN_PROJECT} ORDER BY projects.created_at, projects.id`

/**
 * Lists an account's projects with the number of checks that are down in each, in order of creation. Reads only checks that are down.
 * @param all true to include projects of which the account is not a member
 */
export function listProjectBriefs(sql: Sql, accountId: string, all: boolean): Promise<ProjectBrief[]> {
  return all ? sql.all<ProjectBrief>(ALL_BRIEFS, []) : sql.all<ProjectBrief>(BRIEFS_OF_PERSON, [accountId])
}

const COUNT_DOWN = `SELECT COUNT(*) AS down FROM checks WHERE project_id = $1 AND status = 'down'`

/** Counts the checks that are stored as down, in the order of `projectIds`. */
export async function countDown(sql: Sql, projectIds: readonly string[]): Promise<number[]> {
  const rows = await sql.getEach<{ down: number }>(
    COUNT_DOWN,
    projectIds.map((id) => [id]),
  )
  return rows.map((row) => row?.down ?? 0)
}

const CONTENTS = `
  SELECT COUNT(*) AS checks, COUNT(CASE WHEN slug <> '' THEN 1 END) AS slugs,
    (SELECT COUNT(*) FROM channels WHERE project_id = $1) AS channels,
    (SELECT COUNT(*) FROM members WHERE project_id = $1) AS members
  FROM checks WHERE project_id = $1`

export async function countContents(sql: Sql, projectId: string): Promise<ProjectContents> {
  const found = await sql.get<ProjectContents>(CONTENTS, [projectId])
  return found ?? { checks: 0, slugs: 0, channels: 0, members: 0 }
}

const HOLDER = `
  SELECT COALESCE((
    SELECT account_id FROM members WHERE project_id = projects.id AND role = 'owner' ORDER BY account_id LIMIT 1
  ), id) AS holder FROM projects`
export const HOLDER_OF_PROJECT = `${HOLDER} WHERE id = $1`
export const HOLDER_OF_BADGES = `${HOLDER} WHERE badge_key = $1`

/**
 * Finds an account that owns a project. If there are several owners, always returns the same one, chosen by id.
 * @returns the project's id if it has no owner; null if there is no such project
 */
export async function findHolder(
  sql: Sql,
  of: { readonly projectId: string } | { readonly badgeKey: string },
): Promise<string | null> {
  const row = await ('projectId' in of
    ? sql.get<{ holder: string }>(HOLDER_OF_PROJECT, [of.projectId])
    : sql.get<{ holder: string }>(HOLDER_OF_BADGES, [of.badgeKey]))
  return row?.holder ?? null
}

/**
 * Changes a project. Lowering a limit takes no longer if many logs become too long, because `prune` shortens them later. Turning search on
 * or off also takes constant time, because `search.refill` reindexes the logs later.
 * @throws Refusal `project-name-taken`
 * @returns null if there is no such project
 */
export async function editProject(sql: Sql, trail: AuditTrail, id: string, edit: ProjectEdit): Promise<Project | null> {
  if (edit.name !== undefined) await sql.lock('project name', [edit.name])
  await sql.lock('project', [id])
  return applyEdit(sql, trail, id, edit)
}

const update = PROJECTS.updating('name', 'pingLogLimit', 'slug', 'isSearched', 'tz')

/** Changes a project whose name and row the caller has locked. A new slug is random. */
export async function applyEdit(
  sql: Sql,
  trail: AuditTrail,
  id: string,
  edit: ProjectEdit & Partial<Pick<Project, 'slug'>>,
): Promise<Project | null> {
  const before = await findProject(sql, id)
  if (!before) return null
  const after = { ...before, ...edit }
  if (after.name !== before.name) await requireFreeName(sql, trail, after)
  if (after.pingLogLimit < before.pingLogLimit) await markProjects(sql, id)
  if (after.isSearched !== before.isSearched) await rereadProject(sql, id)
  await update(sql, after)
  await trail.note(auditedProject(before), auditedProject(after))
  return after
}
