/** Badges: the signed URLs of a project. */
import { type BadgeUrls, badgeTags, badgeUrls } from '../domain/badge.ts'
import type { Project } from '../domain/project.ts'
import type { Deps } from './deps.ts'

/** Six URLs for each tag in use, and for all checks together under `*`. */
export async function listBadges(
  { store, site }: Pick<Deps, 'store' | 'site'>,
  project: Project,
): Promise<Readonly<Record<string, BadgeUrls>>> {
  const checks = await store.listChecks(project.id, {})
  const tags = badgeTags(checks.map(({ check }) => check.tags))
  const urls = tags.map((tag) => [tag, badgeUrls(site.links.siteRoot, project.badgeKey, tag, site.secret)] as const)
  return Object.fromEntries(urls)
}
