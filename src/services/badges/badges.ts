/** Lists a project's signed badge URLs, and reads the statuses that badges show. */
import type { Actor } from '../../domain/actor.ts'
import type { Badge } from '../../domain/badge/formats.ts'
import { type BadgeCheck, countForBadge, ProjectBadges } from '../../domain/badge/status.ts'
import { ALL_TAGS, type BadgeUrls, badgeUrls, signedTag } from '../../domain/badge-urls.ts'
import { splitTags } from '../../domain/check/tags.ts'
import { BriefCache } from '../../lib/caches/brief-cache.ts'
import type { ImportedSecret } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'
import { importedTag, publishedTag } from '../common/imported-secrets.ts'
import type { LongReads } from '../common/long-reads.ts'
import { readPages } from '../common/pages.ts'

/** A project's badge key, a tag, and the tag's signature, from a badge URL. */
interface SignedTag {
  readonly badgeKey: string
  readonly signature: string
  /** percent-encoded tag; null for all checks */
  readonly tag: string | null
}

const UNNAMED = 'unnamed'

/**
 * Returns the label for a check's badge. A check without a name gets a label without its UUID, because anyone who knows the UUID can
 * ping the check.
 */
export function badgeLabelOf({ name }: Pick<BadgeCheck, 'name'>): string {
  return name.trim() === '' ? UNNAMED : name
}

type BadgesDeps = Pick<Deps, 'store' | 'site' | 'now'> & { readonly longReads: LongReads }

/**
 * Yields six badge URLs for each tag in use, and then six badge URLs for all checks together, under `*`. The URLs are yielded in pages. All
 * URLs for a tag are on the same page.
 */
export async function* listBadges(
  { store, site }: Pick<Deps, 'store' | 'site'>,
  { project }: Actor,
): AsyncGenerator<readonly (readonly [tag: string, urls: BadgeUrls])[]> {
  const seen = new Set<string>([ALL_TAGS])
  const withUrls = (tag: string) => [tag, badgeUrls(site.links.siteRoot, project.badgeKey, tag, site.secret)] as const
  for await (const page of readPages((after) => store.checks.listTags(project.id, after))) {
    const fresh = new Set(page.flatMap(splitTags)).difference(seen)
    for (const tag of fresh) seen.add(tag)
    yield Array.from(fresh, withUrls)
  }
  yield [withUrls(ALL_TAGS)]
}

/** Reads the data for badges. Flips and edits by this process are visible immediately. Other changes are visible within a second. */
export interface Badges {
  /** @returns null if the signature is wrong; if no check has the tag anymore, a badge with the status up */
  findTagBadge(signed: SignedTag): Promise<Badge | null>
  /** @returns null if there is no such check */
  findCheckBadge(badgeKey: string): Promise<Badge | null>
}

/**
 * Cache lifetime of a count, in seconds. A page requests all of its badges at the same time, for each visitor. Writes by
 * other processes don't invalidate the cache. Otherwise each badge would recount its project after every ping that those
 * processes receive.
 */
const KEPT_SECONDS = 1
const PROJECTS_KEPT = 100
const CHECKS_KEPT = 1_000
const SIGNATURES_KEPT = 1_000

export function createBadges({ store, site, now, longReads }: BadgesDeps): Badges {
  const projects = new BriefCache<ProjectBadges>({ now, seconds: KEPT_SECONDS, capacity: PROJECTS_KEPT })
  const checks = new BriefCache<Badge | null>({ now, seconds: KEPT_SECONDS, capacity: CHECKS_KEPT })
  const secrets = new BriefCache<readonly ImportedSecret[]>({ now, seconds: KEPT_SECONDS, capacity: 1 })

  /** Counts all tags in one query, so that the project's other badges need no further query. */
  const countProject = (badgeKey: string) =>
    longReads.during({ badgeKey }, async () => {
      const counted = new ProjectBadges()
      const at = now()
      for await (const page of readPages((after) => store.badges.listChecks(badgeKey, after))) {
        for (const check of page) counted.add(check, at)
      }
      return counted
    })
  const readCheck = async (badgeKey: string): Promise<Badge | null> => {
    const check = await store.badges.findCheck(badgeKey)
    if (check === null) return null
    return { label: badgeLabelOf(check), counts: countForBadge(check, now()) }
  }
  const signatures = new BriefCache<readonly string[]>({ now, seconds: KEPT_SECONDS, capacity: SIGNATURES_KEPT })
  const listSecrets = () => secrets.get('all', '', () => store.imports.listSecrets())
  /** Finds the tag of a badge URL that was signed by the project's old server. */
  const foreignTag = async ({ badgeKey, signature }: SignedTag, encoded: string) =>
    importedTag(await listSecrets(), badgeKey, signature, encoded) ??
    publishedTag(
      (tag) => signatures.get(`${badgeKey} ${tag}`, '', () => store.badges.listSignatures(badgeKey, tag)),
      signature,
      encoded,
    )
  return {
    async findTagBadge(signed) {
      const { badgeKey, signature } = signed
      const encoded = signed.tag ?? ALL_TAGS
      const tag = signedTag(badgeKey, signature, encoded, site.secret) ?? (await foreignTag(signed, encoded))
      if (tag === null) return null
      const counted = await projects.get(badgeKey, store.changes.statusRevision(), () => countProject(badgeKey))
      return { label: tag === ALL_TAGS ? site.badgeLabel : tag, counts: counted.countsOf(tag) }
    },
    findCheckBadge: (badgeKey) => checks.get(badgeKey, store.changes.statusRevision(), () => readCheck(badgeKey)),
  }
}
