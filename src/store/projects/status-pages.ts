/** Status pages. Their sections are JSON, because they are read and written together. */
import { auditedStatusPage } from '../../domain/audit/subjects.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Section, StatusPage } from '../../domain/status-page/status-page.ts'
import { fromMicroseconds, toMicroseconds } from '../../lib/time.ts'
import type { AuditTrail } from '../audit.ts'
import type { Sql } from '../sql/database.ts'
import { findProject } from './projects.ts'

interface StatusPageRow {
  project_id: string
  slug: string
  is_public: number
  is_indexed: number
  title: string
  text: string
  tz: string
  sections: string
  updated_at: number
}

function toStatusPage(row: StatusPageRow): StatusPage {
  return {
    projectId: row.project_id,
    slug: row.slug,
    isPublic: row.is_public === 1,
    isIndexed: row.is_indexed === 1,
    title: row.title,
    text: row.text,
    tz: row.tz,
    sections: JSON.parse(row.sections) as readonly Section[],
    updatedAt: fromMicroseconds(row.updated_at),
  }
}

const FIND = 'SELECT * FROM status_pages WHERE project_id = $1'

export async function findStatusPage(sql: Sql, projectId: string): Promise<StatusPage | null> {
  const row = await sql.get<StatusPageRow>(FIND, [projectId])
  return row && toStatusPage(row)
}

const FIND_PUBLIC = 'SELECT * FROM status_pages WHERE slug = $1 AND is_public = 1'

/** @returns null also for a page that is not public */
export async function findPublicStatusPage(sql: Sql, slug: string): Promise<StatusPage | null> {
  const row = await sql.get<StatusPageRow>(FIND_PUBLIC, [slug])
  return row && toStatusPage(row)
}

const WRITE = `
  INSERT INTO status_pages (project_id, slug, is_public, is_indexed, title, text, tz, sections, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (project_id) DO UPDATE SET slug = excluded.slug, is_public = excluded.is_public,
    is_indexed = excluded.is_indexed, title = excluded.title, text = excluded.text, tz = excluded.tz,
    sections = excluded.sections, updated_at = excluded.updated_at`

/**
 * @param decide what the page becomes; it gets null if the project has none yet. What it throws ends the change, and nothing is written
 * @throws Refusal `status-slug-taken` if the page of another project has its slug; `not-found` if there is no such project
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

/** The caller has locked the slugs and the project, and the slug is free. */
export async function writeStatusPage(sql: Sql, page: StatusPage): Promise<void> {
  await sql.run(WRITE, [
    page.projectId,
    page.slug,
    Number(page.isPublic),
    Number(page.isIndexed),
    page.title,
    page.text,
    page.tz,
    JSON.stringify(page.sections),
    toMicroseconds(page.updatedAt),
  ])
}

const NAMESAKE = 'SELECT 1 FROM status_pages WHERE slug = $1 AND project_id <> $2'

/** @throws Refusal `status-slug-taken` */
async function requireFreeSlug(sql: Sql, { slug, projectId }: StatusPage): Promise<void> {
  if ((await sql.get(NAMESAKE, [slug, projectId])) === null) return
  throw new Refusal('status-slug-taken', `another status page has the address ${slug}: choose another one`, {
    name: slug,
  })
}
