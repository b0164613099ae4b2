/** Finds and stores status pages. */
import { auditedStatusPage } from '../../domain/audit/subjects.ts'
import { Refusal } from '../../domain/errors.ts'
import type { StatusPage } from '../../domain/status-page/status-page.ts'
import type { AuditTrail } from '../audit.ts'
import type { Sql } from '../sql/database.ts'
import { fromExcluded } from '../sql/rows.ts'
import { STATUS_PAGES } from '../tables/projects.ts'
import { findProject } from './projects.ts'

const FIND = 'SELECT * FROM status_pages WHERE project_id = $1'

export function findStatusPage(sql: Sql, projectId: string): Promise<StatusPage | null> {
  return STATUS_PAGES.get(sql, FIND, [projectId])
}

const FIND_PUBLIC = 'SELECT * FROM status_pages WHERE slug = $1 AND is_public = 1'

/** Finds a status page by its slug. @returns null if there is no such page or the page is not public */
export function findPublicStatusPage(sql: Sql, slug: string): Promise<StatusPage | null> {
  return STATUS_PAGES.get(sql, FIND_PUBLIC, [slug])
}

const WRITE = `
  ${STATUS_PAGES.insertion} ON CONFLICT (project_id) DO UPDATE SET ${fromExcluded(STATUS_PAGES.columns)}`

/**
 * Changes a project's status page.
 * @param decide returns the new page; called with null if the project has none yet. If it throws, nothing is written
 * @throws Refusal `status-slug-taken` if another project's page has its slug; `not-found` if there is no such project
 */
export async function changeStatusPage(
  sql: Sql,
  trail: AuditTrail,
  projectId: string,
  decide: (page: StatusPage | null) => StatusPage,
): Promise<StatusPage> {
  await sql.lock('status page slugs')
  await sql.lock('project', [projectId])
  if ((await findProject(sql, projectId)) === null) throw new Refusal('not-found', 'not found')
  const before = await findStatusPage(sql, projectId)
  const after = decide(before)
  await requireFreeSlug(sql, after)
  await writeStatusPage(sql, after)
  await trail.note(before && auditedStatusPage(before), auditedStatusPage(after))
  return after
}

/** Stores a page. The caller must have locked the slugs and the project, and made sure that the slug is not taken. */
export async function writeStatusPage(sql: Sql, page: StatusPage): Promise<void> {
  await sql.run(WRITE, STATUS_PAGES.values(page))
}

const NAMESAKE = 'SELECT 1 FROM status_pages WHERE slug = $1 AND project_id <> $2'

/** @throws Refusal `status-slug-taken` */
async function requireFreeSlug(sql: Sql, { slug, projectId }: StatusPage): Promise<void> {
  if ((await sql.get(NAMESAKE, [slug, projectId])) === null) return
  throw new Refusal('status-slug-taken', `another status page has the address ${slug}: choose another one`, {
    name: slug,
  })
}
