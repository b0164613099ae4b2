/** The overview. It covers all projects that the reader may see, and shows problems, the night and the next runs. */
import type { Person } from '../../../../domain/actor.ts'
import { overviewSentence } from '../../../../domain/sentence/overview-sentence.ts'
import { CARDS, type Overview } from '../../../../services/overview/overview.ts'
import type { PageContext } from '../../context.ts'
import { projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { empty } from '../../parts/empty.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { HATCH } from '../../parts/night/drawing.ts'
import { bdi, numbered } from '../../parts/words/text.ts'
import { zoneLine } from '../../parts/words/times.ts'
import type { FrameContent } from '../../route.ts'
import { comingCard } from './coming-card.ts'
import { fixingCard } from './fixing-card.ts'
import { nightCard } from './night-card.ts'
import { placesCard } from './places-card.ts'
import { problemsCard } from './problems-card.ts'
import { recoveriesCard } from './recoveries-card.ts'
import { serverCard } from './server-card.ts'
import { unheardCard } from './unheard-card.ts'

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

/** Renders the parts that change when pings arrive or time passes. Each part is an element whose id is the part's name. */
export function changingParts(
  overview: Overview,
  person: Person,
  context: PageContext,
): Readonly<Record<PartName, Html>> {
  return {
    'wrong-counts': html`<span id="wrong-counts">${overviewSentence(overview, person.isAdministrator)}</span>`,
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

/** Renders a single element with all cards that can change when a check changes. */
function wrongCards(overview: Overview, context: PageContext): Html {
  const { problems } = overview
  const cards = problems.length === 0 ? calm(overview, context) : problemsCard(problems, context)
  return html`<div class="stack" id="wrong"${cards === null && html` hidden`}>${cards}${rest(overview, context)}</div>`
}

/** Returns null if at least one check is monitored, because the sentence at the top then says that everything is fine. */
function calm({ places, unheard }: Overview, { href }: PageContext): Html | null {
  if (places.length === 0) {
    return empty({
      title: 'No projects',
      text: 'A project contains checks and integrations. Create a project, or ask to be added to one.',
      actions: linkButton({ text: 'New project', icon: 'plus', href: href('/projects/new') }),
    })
  }
  if (places.every(({ checks }) => checks === 0)) {
    return empty({
      title: 'No checks yet',
      text: 'A check expects pings from one of your jobs, and alerts you when a ping does not arrive.',
    })
  }
  if (unheard > 0 || places.some(({ expected, slow }) => expected + slow > 0)) return null
  return html`<p class="card calm">No checks are being monitored: all are paused or waiting for a ping.</p>`
}

/** Counts the problems that have no card, by project. Many problems often share a cause, so showing more cards would not help. */
function rest({ problems, down, late, slow, places }: Overview, { href }: PageContext): Html | null {
  const hidden = down + late + slow - problems.length
  if (problems.length < CARDS || hidden <= 0) return null
  const links = places
    .filter((place) => place.down + place.late + place.slow > 0)
    .map(({ actor: { project }, ...place }) => {
      const words = numbered([place.down, 'down'], [place.late, 'late'], [place.slow, 'slow']).join(', ')
      const query = `status=down&status=late${place.slow > 0 ? '&status=started' : ''}`
      return html`<li><a href="${href(projectPath(project.slug, `checks?${query}`))}"><span><b>${bdi(project.name)}</b><small>${words}</small></span></a></li>`
    })
  return html`<section class="card" aria-labelledby="rest-h"><header><h2 id="rest-h">${hidden} more</h2><p>in the lists of their projects</p></header><ul class="plist">${links}</ul></section>`
}
