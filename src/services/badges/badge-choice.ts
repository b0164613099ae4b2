/** Reads the badges that a user can choose from: badges for the tags and checks that match a search, and the chosen badge. */

import { type Actor, may } from '../../domain/actor.ts'
import type { Badge } from '../../domain/badge/formats.ts'
import { countForBadge, ProjectBadges } from '../../domain/badge/status.ts'
import { ALL_TAGS, type BadgeFormat, type BadgeStates, badgeUrls, checkBadgeUrl } from '../../domain/badge-urls.ts'
import type { Check } from '../../domain/check/check.ts'
import { showCheck } from '../../domain/check/shown-check.ts'
import { Refusal } from '../../domain/errors.ts'
import { createMatcher, ListTally } from '../../domain/list/check-list.ts'
import { compareNames } from '../../lib/text/natural-order.ts'
import { sortInSteps } from '../../lib/work/sort-in-steps.ts'
import { listChecks } from '../checks/checks.ts'
import type { Deps } from '../common/deps.ts'
import { badgeLabelOf } from './badges.ts'

/** The subject of a badge: a tag, a check or all checks. */
export type BadgeSubject =
  | { readonly kind: 'all' }
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'check'; readonly publicId: string }

export interface BadgeQuery {
  readonly subject: BadgeSubject
  /** search text, as in the list of checks; also compared with tags */
  readonly text: string
}

/** The first items of a list, and the number of remaining items. */
interface Beginning<Item> {
  readonly items: readonly Item[]
  readonly more: number
}

export interface BadgeChoice {
  /** tags, sorted by name, and the number of checks that have each tag */
  readonly tags: Beginning<readonly [tag: string, checks: number]>
  /** checks, sorted by name */
  readonly checks: Beginning<Pick<Check, 'publicId' | 'name'>>
  readonly chosen: Badge
  /** returns the URL of the chosen badge */
  readonly urlOf: (format: BadgeFormat, states: BadgeStates) => string
}

/** Maximum numbers of listed tags and checks. Users have to search for the others. */
const LISTED = { tags: 100, checks: 50 }

/**
 * Reads the badges to choose from. Reads all of the project's checks once.
 * @throws Refusal `not-found` if no check has the chosen tag, or the chosen check does not exist
 */
export async function readBadgeChoice(
  deps: Pick<Deps, 'store' | 'site' | 'now' | 'budget'>,
  actor: Actor,
  { subject, text }: BadgeQuery,
): Promise<BadgeChoice> {
  const now = deps.now()
  const available = () => deps.budget.available()
  const matches = createMatcher({ text, tags: [], states: [], advice: [] }, may(actor, 'write'))
  const [tally, counted] = [new ListTally(), new ProjectBadges()]
  const matching: Pick<Check, 'publicId' | 'name'>[] = []
  let found: Check | null = null
  for await (const page of listChecks(deps, actor, {})) {
    await available()
    for (const { check } of page) {
      const standing = { ...showCheck(check, now), advice: null }
      tally.add(check, standing)
      counted.add(check, now)
      if (matches(check, standing)) matching.push({ publicId: check.publicId, name: check.name })
      if (subject.kind === 'check' && check.publicId === subject.publicId) found = check
    }
  }
  const wanted = text.toLowerCase()
  const tags = [...tally.tags].filter(([tag]) => tag.toLowerCase().includes(wanted))
  const listed = {
    tags: beginning(await sortInSteps(tags, ([a], [b]) => compareNames(a, b), available), LISTED.tags),
    checks: beginning(await sortInSteps(matching, (a, b) => compareNames(a.name, b.name), available), LISTED.checks),
  }
  const { siteRoot } = deps.site.links
  if (subject.kind === 'check') {
    if (found === null) throw new Refusal('not-found', 'the project has no such check')
    const { badgeKey } = found
    const chosen = { label: badgeLabelOf(found), counts: countForBadge(found, now) }
    return { ...listed, chosen, urlOf: (format, states) => checkBadgeUrl(siteRoot, badgeKey, states, format) }
  }
  const tag = subject.kind === 'tag' ? subject.tag : ALL_TAGS
  if (tag !== ALL_TAGS && !tally.tags.has(tag)) throw new Refusal('not-found', 'no check has this tag')
  const urls = badgeUrls(siteRoot, actor.project.badgeKey, tag, deps.site.secret)
  return {
    ...listed,
    chosen: { label: tag === ALL_TAGS ? deps.site.badgeLabel : tag, counts: counted.countsOf(tag) },
    urlOf: (format, states) => urls[states === 3 ? (`${format}3` as const) : format],
  }
}

function beginning<Item>(all: readonly Item[], limit: number): Beginning<Item> {
  return { items: all.slice(0, limit), more: Math.max(0, all.length - limit) }
}
