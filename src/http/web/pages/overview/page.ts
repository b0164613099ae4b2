/** The overview: what is wrong in all projects that the reader may see. */
import type { Person } from '../../../../domain/actor.ts'
import { CARDS, type Overview } from '../../../../services/overview/overview.ts'
import type { PageContext } from '../../context.ts'
import { projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { empty } from '../../parts/empty.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { bdi, counted, numbered } from '../../parts/words/text.ts'
import { relativeTime, zoneLine } from '../../parts/words/times.ts'
import type { FrameContent } from '../../route.ts'
import { concernCard } from './concern-card.ts'
import { checkHref, checkName } from './context.ts'
import { fixingCard } from './fixing-card.ts'
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
    body: html`<div class="cols"><div class="stack">${parts.wrong}${parts.unheard}${parts['back-to-normal']}</div>
<div class="stack">${parts.fixing}${parts.places}${parts.server}</div></div>
${zoneLine(context.tz)}`,
  }
}

type PartName = 'wrong-counts' | 'wrong' | 'unheard' | 'fixing' | 'back-to-normal' | 'places' | 'server'

/** Parts that pings and time change. Each is one element whose id is its name. */
export function changingParts(
  overview: Overview,
  person: Person,
  context: PageContext,
): Readonly<Record<PartName, Html>> {
  return {
    'wrong-counts': html`<span id="wrong-counts">${wrongSentence(overview, person, context)}</span>`,
    wrong: wrongCards(overview, context),
    unheard: unheardCard(overview, context),
    fixing: fixingCard(overview, context),
    'back-to-normal': recoveriesCard(overview, context),
    places: overview.places.length > 0 ? placesCard(overview, context) : html`<section id="places" hidden></section>`,
    server: serverCard(overview.server, context, person.isAdministrator),
  }
}

/** `3 checks down and 1 late, in 1 of your 3 projects. 1 check runs longer than usual.` */
function wrongSentence(overview: Overview, person: Person, context: PageContext): Html {
  const { down, late, slow, isCut, places, next, unheard } = overview
  const slowWords = slow > 0 && ` ${counted(slow, 'check runs', 'checks run')} longer than usual.`
  if (down === 0 && late === 0) {
    if (slow > 0 || unheard > 0) {
      return html`Nothing is down or late.${slowWords}${unheard > 0 && ` ${unheardWords(overview)}`}`
    }
    if (next === null) return html`Nothing is wrong.`
    const name = html`<a href="${checkHref(context, next.actor, next.check)}">${checkName(next.check)}</a>`
    return html`Nothing is wrong. Next expected: ${name}, ${relativeTime(next.at, context.now, context.tz)}.`
  }
  const words = [
    ...(down > 0 ? [`${counted(down, 'check', 'checks')} down`] : []),
    ...(late > 0 ? [`${down > 0 ? late : counted(late, 'check', 'checks')} late`] : []),
  ].join(' and ')
  const affected = places.filter((place) => place.down > 0 || place.late > 0).length
  const whose = person.isAdministrator ? '' : ' your'
  const part = affected < places.length ? `${affected} of${whose}` : 'all'
  const where = places.length > 1 ? `, in ${part} ${places.length} projects` : ''
  return html`${isCut && 'At least '}${words}${where}.${slowWords}`
}

/** All that a change of any check may change, in one element. */
function wrongCards(overview: Overview, context: PageContext): Html {
  const { concerns } = overview
  return html`<div class="stack" id="wrong">${concerns.length === 0 ? calm(overview, context) : concerns.map((concern) => concernCard(concern, context))}${rest(overview, context)}</div>`
}

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
  if (unheard > 0) return null
  if (places.every(({ checks, paused, fresh }) => checks === paused + fresh)) {
    return html`<p class="card calm">No check is watched: each is paused, or waits for a ping.</p>`
  }
  return html`<p class="card calm">Every check that is watched is on time.</p>`
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
