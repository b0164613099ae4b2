/** The overview: what needs attention in all projects that the reader may see, how the night went, and what comes next. */
import type { Person } from '../../../../domain/actor.ts'
import { CARDS, type Overview } from '../../../../services/overview/overview.ts'
import type { PageContext } from '../../context.ts'
import { projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { empty } from '../../parts/empty.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { HATCH } from '../../parts/night/drawing.ts'
import { bdi, counted, numbered } from '../../parts/words/text.ts'
import { zoneLine } from '../../parts/words/times.ts'
import type { FrameContent } from '../../route.ts'
import { comingCard } from './coming-card.ts'
import { concernsCard } from './concerns-card.ts'
import { fixingCard } from './fixing-card.ts'
import { nightCard } from './night-card.ts'
import { placesCard } from './places-card.ts'
import { recoveriesCard } from './recoveries-card.ts'
import { serverCard } from './server-card.ts'
import { unheardCard, unheardWords } from './unheard-card.ts'

export function wrongPage(overview: Overview, person: Person, context: PageContext): FrameContent {
  const parts = changingParts(overview, person, context)
  return {
    layout: 'frame',
    title: 'Overview',
    live: '/live?view=wrong',
    intro: parts['wrong-counts'],
    body: html`${HATCH}<div class="cols"><div class="stack">${parts.wrong}${parts.unheard}${parts['night-card']}${parts['back-to-normal']}</div>
<div class="stack">${parts.fixing}${parts.coming}${parts.places}${parts.server}</div></div>
${zoneLine(context.tz)}`,
  }
}

type PartName =
  | 'wrong-counts'
  | 'wrong'
  | 'unheard'
  | 'night-card'
  | 'back-to-normal'
  | 'fixing'
  | 'coming'
  | 'places'
  | 'server'

/** Parts that pings and time change. Each is one element whose id is its name. */
export function changingParts(
  overview: Overview,
  person: Person,
  context: PageContext,
): Readonly<Record<PartName, Html>> {
  return {
    'wrong-counts': html`<span id="wrong-counts">${countSentence(overview, person)}</span>`,
    wrong: wrongCards(overview, context),
    unheard: unheardCard(overview, context),
    'night-card': nightCard(overview, context),
    'back-to-normal': recoveriesCard(overview, context),
    fixing: fixingCard(overview, context),
    coming: comingCard(overview, context),
    places: overview.places.length > 0 ? placesCard(overview, context) : html`<section id="places" hidden></section>`,
    server: serverCard(overview.server, context, person.isAdministrator),
  }
}

/**
 * `3 checks down and 1 late, in 1 of your 3 projects. 28 as expected, 1 not pinged yet, 2 paused.` All is good only if each check has been
 * pinged and is watched.
 */
function countSentence(overview: Overview, person: Person): string {
  const { down, late, slow, isCut, unheard, expected, unpinged, resumed, paused } = overview
  const others = numbered(
    [slow, 'running longer than usual'],
    [expected, 'as expected'],
    [unpinged, 'not pinged yet'],
    [resumed, 'resumed and not pinged since'],
    [paused, 'paused'],
  )
  if (down === 0 && late === 0) {
    if (others.length === 0 && unheard === 0) return 'Nothing is watched yet.'
    if (expected > 0 && others.length === 1 && unheard === 0) {
      return `${counted(expected, 'check', 'checks')}, all good.`
    }
  }
  const bad = down === 0 && late === 0 ? 'Nothing is down or late.' : badSentence(overview, person)
  // When not all that is wrong was read, the rest is not known.
  const rest = isCut || others.length === 0 ? [] : [`${others.join(', ')}.`]
  return [bad, ...(unheard > 0 ? [unheardWords(overview)] : []), ...rest].join(' ')
}

/** `3 checks down and 1 late, in 1 of your 3 projects.` */
function badSentence({ down, late, isCut, places }: Overview, person: Person): string {
  const words = [
    ...(down > 0 ? [`${counted(down, 'check', 'checks')} down`] : []),
    ...(late > 0 ? [`${down > 0 ? late : counted(late, 'check', 'checks')} late`] : []),
  ].join(' and ')
  const affected = places.filter((place) => place.down > 0 || place.late > 0).length
  const whose = person.isAdministrator ? '' : ' your'
  const part = affected < places.length ? `${affected} of${whose} ` : ''
  const where = places.length > 1 ? `, in ${part}${places.length} projects` : ''
  return `${isCut ? 'At least ' : ''}${words}${where}.`
}

/** All that a change of any check may change, in one element. */
function wrongCards(overview: Overview, context: PageContext): Html {
  const { concerns } = overview
  const cards = concerns.length === 0 ? calm(overview, context) : concernsCard(concerns, context)
  return html`<div class="stack" id="wrong"${cards === null && html` hidden`}>${cards}${rest(overview, context)}</div>`
}

/** Null while there are checks that are watched: the sentence on top says that they are fine. */
function calm({ places, unheard }: Overview, { href }: PageContext): Html | null {
  if (places.length === 0) {
    return empty({
      title: 'No projects',
      text: 'A project holds checks and integrations. Create one, or ask to be added to one.',
      actions: linkButton({ text: 'New project', icon: 'plus', href: href('/projects/new') }),
    })
  }
  if (places.every(({ checks }) => checks === 0)) {
    return empty({
      title: 'No checks yet',
      text: 'A check waits for a ping from one of your jobs, and alerts you when it does not come.',
    })
  }
  if (unheard > 0 || places.some(({ expected, slow }) => expected + slow > 0)) return null
  return html`<p class="card calm">No check is watched: each is paused, or waits for a ping.</p>`
}

/** Many troubles have one cause, so cards of all of them would say little. */
function rest({ concerns, down, late, slow, places }: Overview, { href }: PageContext): Html | null {
  const hidden = down + late + slow - concerns.length
  if (concerns.length < CARDS || hidden <= 0) return null
  const links = places
    .filter((place) => place.down + place.late + place.slow > 0)
    .map(({ actor: { project }, ...place }) => {
      const words = numbered([place.down, 'down'], [place.late, 'late'], [place.slow, 'slow']).join(', ')
      const query = `status=down&status=late${place.slow > 0 ? '&status=started' : ''}`
      return html`<li><a href="${href(projectPath(project.slug, `checks?${query}`))}"><span><b>${bdi(project.name)}</b><small>${words}</small></span></a></li>`
    })
  return html`<section class="card" aria-labelledby="rest-h"><header><h2 id="rest-h">${hidden} more</h2><p>in the lists of their projects</p></header><ul class="plist">${links}</ul></section>`
}
