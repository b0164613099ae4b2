/** Rows of projects. */
import type { Project } from '../../domain/project.ts'
import { fromMicroseconds } from '../../lib/time.ts'

/** False of those that an import has staged: nothing but imports finds these. */
export const SHOWN_PROJECT = 'projects.staged_at IS NULL'

export interface ProjectRow {
  id: string
  name: string
  badge_key: string
  ping_log_limit: number
  created_at: number
  slug: string
  search: number
  tz: string | null
}

export function toProject(row: ProjectRow): Project {
  return {
    id: row.id,
    name: row.name,
    badgeKey: row.badge_key,
    pingLogLimit: row.ping_log_limit,
    createdAt: fromMicroseconds(row.created_at),
    slug: row.slug,
    isSearched: row.search === 1,
    tz: row.tz,
  }
}
