/** Reads the public data of a status page. */

import type { Check } from '../../domain/check/check.ts'
import type { Flip } from '../../domain/check/flip.ts'
import { hasTags } from '../../domain/check/tags.ts'
import { Refusal } from '../../domain/errors.ts'
import { type UpAndDownCalendar, upAndDownCalendar } from '../../domain/run/up-and-down.ts'
import {
  DISRUPTIONS_SHOWN,
  type Disruption,
  newestDisruptions,
  type PublicSection,
  type PublicService,
  type PublicStatus,
  publicState,
  stoppedOf,
  summarize,
} from '../../domain/status-page/public-status.ts'
import { createServiceHistory, type ServiceHistory } from '../../domain/status-page/service-history.ts'
import {
  countServices,
  isStatusSlug,
  type Section,
  type Service,
  type StatusPage,
} from '../../domain/status-page/status-page.ts'
import type { Instant } from '../../lib/time.ts'
import { inBatches } from '../../lib/work/batches.ts'
import { FOUND_AT_ONCE } from '../checks/checks.ts'
import type { Deps } from '../common/deps.ts'
import type { LongReads } from '../common/long-reads.ts'
import { readPages } from '../common/pages.ts'

type PublicStatusDeps = Pick<Deps, 'store' | 'now' | 'budget'> & { readonly longReads: LongReads }

/** Maximum number of flips to read per check. If a check has more flips, its earlier days are displayed as unknown. */
const FLIPS_COUNTED = 2_000
/** Maximum number of flips to read for all services together. A service can use whatever the services before it have left over. */
const FLIPS_OF_PAGE = 40_000
const FLIPS_AT_ONCE = 500

/**
 * @throws Refusal `not-found` whether there is no such page or the page is not public, so that clients cannot distinguish the two cases;
 * `busy`
 */
export async function findPublicStatus(deps: PublicStatusDeps, slug: string): Promise<PublicStatus> {
  const page = isStatusSlug(slug) ? await deps.store.statusPages.findPublic(slug) : null
  if (page === null) throw new Refusal('not-found', 'not found')
  return readPublicStatus(deps, page)
}

/** Returns the content of the status page, even if the page is not public. @throws Refusal `busy` */
export function readPublicStatus(deps: PublicStatusDeps, page: StatusPage): Promise<PublicStatus> {
  return deps.longReads.during(page, async () => {
    const at = deps.now()
    const reading: Reading = { page, at, calendar: upAndDownCalendar(page.tz, at), checks: await findAll(deps, page) }
    const disruptions: Disruption[] = []
    const sections: PublicSection[] = []
    const left = { services: countServices(page), flips: FLIPS_OF_PAGE }
    for (const section of page.sections) {
      const services: PublicService[] = []
      for (const service of section.services) {
        const check = shownCheck(reading, section, service)
        const share = Math.min(FLIPS_COUNTED, Math.ceil(left.flips / left.services))
        left.services--
        if (check === null) continue
        const { disruptions: own, counted, ...history } = await readHistory(deps, reading, check, share)
        left.flips -= counted
        const { name, text } = service
        disruptions.push(...own.map((each) => ({ ...each, name })))
        const stopped = stoppedOf(check, at, history.since)
        services.push({ name, text, state: publicState(check, at), stopped, ...history })
      }
      if (services.length > 0) sections.push({ name: section.name, services })
    }
    const { slug, title, text, tz, isIndexed } = page
    const summary = summarize(sections)
    return { slug, title, text, tz, isIndexed, at, summary, sections, disruptions: newestDisruptions(disruptions) }
  })
}

interface Reading {
  readonly page: StatusPage
  readonly at: Instant
  readonly calendar: UpAndDownCalendar
  /** checks, keyed by id */
  readonly checks: ReadonlyMap<string, Check>
}

async function findAll({ store, budget }: PublicStatusDeps, { sections }: StatusPage): Promise<Map<string, Check>> {
  const ids = [...new Set(sections.flatMap(({ services }) => services.map(({ checkId }) => checkId)))]
  const found = new Map<string, Check>()
  for (const some of inBatches(ids, FOUND_AT_ONCE)) {
    await budget.available()
    for (const { check } of await store.checks.findMany(some)) found.set(check.id, check)
  }
  return found
}

/** @returns null if the check was deleted or moved to another project, or if it no longer has the section's tag */
function shownCheck({ page, checks }: Reading, { tag }: Section, { checkId }: Service): Check | null {
  const check = checks.get(checkId)
  if (!check || check.projectId !== page.projectId) return null
  return tag === null || hasTags(check.tags, [tag]) ? check : null
}

/** @param share maximum number of flips to read */
async function readHistory(
  deps: PublicStatusDeps,
  reading: Reading,
  check: Check,
  share: number,
): Promise<ServiceHistory & { readonly counted: number }> {
  const { store, budget } = deps
  const tally = createServiceHistory(check, reading.calendar, reading.at, DISRUPTIONS_SHOWN)
  const perPage = Math.min(share, FLIPS_AT_ONCE)
  let counted = 0
  for await (const flips of readPages<Flip>((after) => store.flips.list(check.id, {}, after, perPage))) {
    await budget.available()
    const isEnough = !tally.add(flips)
    counted += flips.length
    const last = flips.at(-1)
    if (counted >= share && last) return { ...tally.result(last.createdAt), counted }
    if (isEnough) break
  }
  return { ...tally.result(), counted }
}
