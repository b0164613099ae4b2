/** Badges: the signed URLs of a project, and what stands behind each of them. */
import { ALL_TAGS, type BadgeUrls, badgeTags, badgeUrls, signedTag } from '../domain/badge.ts'
import type { Badge } from '../domain/badge-formats.ts'
import { countForBadge } from '../domain/badge-status.ts'
import type { Project } from '../domain/project.ts'
import { hasTags } from '../domain/tags.ts'
import type { Deps } from './deps.ts'

/** A badge of a project as its URL names it. */
export interface SignedTag {
  readonly badgeKey: string
  readonly signature: string
  /** percent-encoded; null for all checks */
  readonly tag: string | null
}

const UNNAMED = 'unnamed'

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

/** @returns null when the signature is wrong; a signed badge that no check stands behind (any more) is up */
export async function findTagBadge(
  { store, site, now }: Pick<Deps, 'store' | 'site' | 'now'>,
  { badgeKey, signature, tag: encoded }: SignedTag,
): Promise<Badge | null> {
  const tag = signedTag(badgeKey, signature, encoded ?? ALL_TAGS, site.secret)
  if (tag === null) return null
  const checks = await store.listBadgeChecks(badgeKey)
  if (tag === ALL_TAGS) return { label: site.badgeLabel, counts: countForBadge(checks, now()) }
  const tagged = checks.filter(({ tags }) => hasTags(tags, [tag]))
  return { label: tag, counts: countForBadge(tagged, now()) }
}

/** A check without a name is not called by its UUID: whoever knows that may ping. @returns null when there is no such check */
export async function findCheckBadge(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  badgeKey: string,
): Promise<Badge | null> {
  const check = await store.findBadgeCheck(badgeKey)
  if (check === null) return null
  return { label: check.name.trim() === '' ? UNNAMED : check.name, counts: countForBadge([check], now()) }
}
