/** Badges: the signed URLs of a project, and what stands behind each of them. */
import { ALL_TAGS, type BadgeUrls, badgeUrls, signedTag } from '../domain/badge.ts'
import type { Badge } from '../domain/badge-formats.ts'
import { countForBadge, ProjectBadges } from '../domain/badge-status.ts'
import type { Project } from '../domain/project.ts'
import { splitTags } from '../domain/tags.ts'
import { BriefCache } from './brief-cache.ts'
import type { Deps } from './deps.ts'
import type { LongReads } from './long-reads.ts'
import { readPages } from './pages.ts'

/** A badge of a project as its URL names it. */
export interface SignedTag {
  readonly badgeKey: string
  readonly signature: string
  /** percent-encoded; null for all checks */
  readonly tag: string | null
}

const UNNAMED = 'unnamed'

export type BadgesDeps = Pick<Deps, 'store' | 'site' | 'now'> & { readonly longReads: LongReads }

/**
 * Six URLs for each tag in use, and for all checks together under `*`, which comes last; in pages of tags, of which each
 * tag is in one.
 */
export async function* listBadges(
  { store, site }: Pick<Deps, 'store' | 'site'>,
  project: Project,
): AsyncGenerator<readonly (readonly [tag: string, urls: BadgeUrls])[]> {
  const seen = new Set<string>([ALL_TAGS])
  const withUrls = (tag: string) => [tag, badgeUrls(site.links.siteRoot, project.badgeKey, tag, site.secret)] as const
  for await (const page of readPages((after) => store.listTags(project.id, after))) {
    const fresh = new Set(page.flatMap(splitTags)).difference(seen)
    for (const tag of fresh) seen.add(tag)
    yield Array.from(fresh, withUrls)
  }
  yield [withUrls(ALL_TAGS)]
}

/** What stands behind the URLs of badges: flips and edits show at once, time and pings without a flip within a second. */
export interface Badges {
  /** @returns null when the signature is wrong; a signed badge that no check stands behind (any more) is up */
  findTagBadge(signed: SignedTag): Promise<Badge | null>
  /**
   * A check without a name is not called by its UUID: whoever knows that may ping.
   * @returns null when there is no such check
   */
  findCheckBadge(badgeKey: string): Promise<Badge | null>
}

/** Pages with many badges ask for all of them at once, and visitors ask again and again. */
const KEPT_SECONDS = 1
const PROJECTS_KEPT = 100
const CHECKS_KEPT = 1_000

export function createBadges({ store, site, now, longReads }: BadgesDeps): Badges {
  const projects = new BriefCache<ProjectBadges>({ now, seconds: KEPT_SECONDS, capacity: PROJECTS_KEPT })
  const checks = new BriefCache<Badge | null>({ now, seconds: KEPT_SECONDS, capacity: CHECKS_KEPT })

  /** All tags at once: a second badge of the project costs nothing more. */
  const countProject = (badgeKey: string) =>
    longReads.during(badgeKey, async () => {
      const counted = new ProjectBadges()
      const at = now()
      for await (const page of readPages((after) => store.listBadgeChecks(badgeKey, after))) {
        for (const check of page) counted.add(check, at)
      }
      return counted
    })
  const readCheck = async (badgeKey: string): Promise<Badge | null> => {
    const check = await store.findBadgeCheck(badgeKey)
    if (check === null) return null
    return { label: check.name.trim() === '' ? UNNAMED : check.name, counts: countForBadge(check, now()) }
  }
  return {
    async findTagBadge({ badgeKey, signature, tag: encoded }) {
      const tag = signedTag(badgeKey, signature, encoded ?? ALL_TAGS, site.secret)
      if (tag === null) return null
      const revision = await store.readStatusRevision()
      const counted = await projects.get(badgeKey, revision, () => countProject(badgeKey))
      return { label: tag === ALL_TAGS ? site.badgeLabel : tag, counts: counted.countsOf(tag) }
    },
    async findCheckBadge(badgeKey) {
      return checks.get(badgeKey, await store.readStatusRevision(), () => readCheck(badgeKey))
    },
  }
}
