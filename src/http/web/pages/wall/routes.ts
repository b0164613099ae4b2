/**
 * Wall displays, for large screens. `/wall?p=<slug>&theme=dark` is for signed-in users. `/tv/#<key>=<title>&theme=dark` is for screens that
 * use API keys. The part after the `#` is never sent to the server. The script uses each key to request a section.
 */

import type { Person, PersonActor } from '../../../../domain/actor.ts'
import { Refusal } from '../../../../domain/errors.ts'
import { BriefCache } from '../../../../lib/caches/brief-cache.ts'
import { createRateLimit } from '../../../../lib/limits/rate-limit.ts'
import { clockWords, knownZone } from '../../../../lib/time-words.ts'
import { readWall } from '../../../../services/overview/wall.ts'
import { getKeyActor } from '../../../../services/projects/keys.ts'
import { listPersonActors } from '../../../../services/projects/members.ts'
import { isKnown, tagOf } from '../../../entity-tag.ts'
import { limitAddress, requireRate } from '../../../public-limit.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { HATCH } from '../../parts/night/drawing.ts'
import { counted } from '../../parts/words/text.ts'
import type { AccountVisit, PageAnswer, Route, Visit, WallContent } from '../../route.ts'
import { FORMLESS_POLICY, HTML_TYPE } from '../../security-headers.ts'
import { accountRoute, publicRoute } from '../new-route.ts'
import { wallParts } from './grid.ts'
import { wallSections } from './sections.ts'

/** Maximum number of projects on a wall display. More would not fit on a screen. */
const PROJECTS = 12
const TV_CACHED_SECONDS = 60
/**
 * Cache lifetime of a section, in seconds. Screens request a section every four seconds, so they show an event at most five seconds later.
 */
const PART_SECONDS = 1
/** Maximum number of requests per minute for each key, which is enough for eighty screens that each send 15 requests a minute. */
const PARTS_PER_MINUTE = 1_200
/** Maximum fraction of time spent rereading a project, however large it is. */
const PART_SHARE = 0.05
const PARTS_KEPT = 100
/** Time zone to use if a request does not specify one. */
const PART_ZONE = 'UTC'

export function wallRoutes(deps: PageDeps): readonly Route[] {
  const answerPart = createPart(deps)
  return [
    accountRoute('GET', '/wall', (visit) => wallPage(deps, visit)),
    publicRoute('GET', '/tv', () => ({ kind: 'page', page: TV_PAGE, headers: FORMLESS_POLICY }), {
      cache: { seconds: TV_CACHED_SECONDS },
    }),
    // This route has its own limits, because many screens may share an IP address.
    publicRoute('GET', '/tv/part', answerPart, { isUnlimited: true }),
  ]
}

/**
 * Returns the user's rights in the projects that the URL lists in `p`, in the same order. If `p` is missing, returns the user's rights in
 * all projects that they may see.
 * @returns at most {@link PROJECTS}, and the number of further projects
 * @throws Refusal `not-found` for a project that the user may not see
 */
export async function wallActors(
  deps: PageDeps,
  person: Person,
  parameters: URLSearchParams,
): Promise<{ readonly actors: readonly PersonActor[]; readonly more: number }> {
  const all = await listPersonActors(deps, person)
  const bySlug = new Map(all.map((actor) => [actor.project.slug, actor]))
  const slugs = [...new Set(parameters.getAll('p'))]
  const found = slugs.map((slug) => bySlug.get(slug))
  const named = found.filter((actor) => actor !== undefined)
  if (named.length < slugs.length) throw new Refusal('not-found', 'not found')
  const chosen = slugs.length === 0 ? all : named
  return { actors: chosen.slice(0, PROJECTS), more: Math.max(0, chosen.length - PROJECTS) }
}

async function wallPage(deps: PageDeps, { person, account, url }: AccountVisit): Promise<WallContent> {
  const { actors, more } = await wallActors(deps, person, url.searchParams)
  const sections = await deps.longReads.during(person, () => wallSections(deps, actors, account.tz, false))
  const { epochMilliseconds: now } = deps.now()
  const parameters = new URLSearchParams([['view', 'wall']])
  for (const { project } of actors) parameters.append('p', project.slug)
  const theme = (['dark', 'light'] as const).find((known) => known === url.searchParams.get('theme'))
  const [only, ...others] = actors
  return {
    layout: 'wall',
    title: 'Wall',
    ...(only && others.length === 0 ? { about: only.project.name } : {}),
    ...(theme && { theme }),
    live: `/live?${parameters}`,
    clock: clockWords(now, now, account.tz),
    body:
      sections.length === 0
        ? html`<p class="wall-more">You do not have access to any project.</p>`
        : html`${HATCH}${sections.map(({ section }) => section)}${
            more > 0 &&
            html`<p class="wall-more">${counted(more, 'more project is', 'more projects are')} not shown.</p>`
          }`,
  }
}

const TV_PAGE: WallContent = {
  layout: 'wall',
  title: 'Wall',
  part: '/tv/part',
  clock: '',
  body: html`${HATCH}<div id="tv-help"><p>This wall shows projects by their API keys. Add <code>#KEY=Title&amp;theme=dark</code> to its address, and <code>&amp;KEY=Title</code> for every other key. Use read-only keys. They stay in this browser.</p>
<noscript><p>This page needs JavaScript. <code>/wall</code> works without it if you are signed in.</p></noscript></div>`,
}

/** Headers for a section. Each key has its own section, so shared caches must not store it. */
const PART_HEADERS = { 'cache-control': 'private, no-cache', vary: 'X-Api-Key' } as const

/**
 * Creates the function that returns the section for the key in `X-Api-Key`. Each section is rendered at most once a second, and is shared
 * by all screens that show the same project in the same time zone.
 */
function createPart(deps: PageDeps) {
  const { now, longReads, publicLimit } = deps
  const keyLimit = createRateLimit(now, publicLimit.perMinute === 0 ? 0 : PARTS_PER_MINUTE)
  const parts = new BriefCache<string>({
    ...{ now, seconds: PART_SECONDS, share: PART_SHARE, capacity: PARTS_KEPT },
    // The limit applies to all of a project's time zones together, because clients choose the time zone.
    shareOf: (key) => key.split(' ', 1)[0] ?? key,
  })
  return async ({ request, client, url }: Visit): Promise<PageAnswer> => {
    const actor = await getKeyActor(deps, request.headers.get('x-api-key'), client.address).catch((error) => {
      if (error instanceof Refusal) limitAddress(publicLimit, client.address)
      throw error
    })
    requireRate(keyLimit, actor.by.lookup)
    const { id } = actor.project
    const tz = knownZone(url.searchParams.get('tz') ?? PART_ZONE) ?? PART_ZONE
    const text = await parts.get(`${id} ${tz}`, '', () =>
      longReads.during({ projectId: id }, async () => {
        const at = now()
        return wallParts(await readWall(deps, actor, at, tz, false), { now: at, tz }).text
      }),
    )
    const etag = tagOf(text)
    const headers = { ...HTML_TYPE, ...PART_HEADERS, etag }
    return isKnown(request, etag)
      ? { kind: 'file', status: 304, body: '', headers }
      : { kind: 'file', body: text, headers }
  }
}
