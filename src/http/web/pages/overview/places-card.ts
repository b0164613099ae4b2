/** The card with the projects. Projects with problems come first. */
import type { ShownState } from '../../../../domain/check/shown-check.ts'
import type { Overview, Place } from '../../../../services/overview/overview.ts'
import type { PageContext } from '../../context.ts'
import { projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { adviceNumbers } from '../../parts/advice/numbers.ts'
import { icon } from '../../parts/icons.ts'
import { stateShape } from '../../parts/words/states.ts'
import { bdi, numbered } from '../../parts/words/text.ts'

/** Maximum number of projects in the card. The rest are listed on the page with all projects. */
const SHOWN = 20

export function placesCard({ places }: Overview, { href }: PageContext): Html {
  const rest = places.length - SHOWN
  const items = places.slice(0, SHOWN).map((place) => {
    const { project } = place.actor
    return html`<li><a href="${href(projectPath(project.slug, 'checks'))}">${stateShape(stateOf(place))}<span><b>${bdi(project.name)}</b><small>${placeWords(place)}</small></span>${icon('right', 'end')}</a></li>`
  })
  const others =
    rest > 0 &&
    html`<li><a href="${href('/projects')}"><span>All ${places.length} projects</span>${icon('right', 'end')}</a></li>`
  return html`<section class="card" id="places" aria-labelledby="places-h"><header><h2 id="places-h">Projects</h2><a class="btn quiet small" href="${href('/projects/new')}">New<span class="sr"> project</span></a></header><ul class="plist">${items}${others}</ul></section>`
}

function stateOf({ checks, down, late, slow, expected, paused, unheard }: Place): ShownState {
  if (down > 0) return 'down'
  if (late > 0 || unheard.checks > 0) return 'late'
  if (slow > 0) return 'started'
  if (expected > 0) return 'up'
  return checks > 0 && paused === checks ? 'paused' : 'new'
}

/**
 * Returns a string such as `3 down, 1 late of 36`, `1 slow of 9`, `all 9 as expected`, `9 as expected, 2 alert no one` or `no checks yet`.
 */
export function placeWords(place: Omit<Place, 'actor'>): string {
  const { checks, down, late, slow, expected, paused, unpinged, resumed, unheard } = place
  if (checks === 0) return 'no checks yet'
  if (down + late + slow > 0) {
    return `${numbered([down, 'down'], [late, 'late'], [slow, 'slow']).join(', ')} of ${checks}`
  }
  const words = numbered(
    [expected, 'as expected'],
    [unpinged, 'not pinged yet'],
    [resumed, 'resumed and not pinged since'],
    [paused, 'paused'],
    ...adviceNumbers(unheard.advice),
  )
  return `${checks > 1 && words.length === 1 ? 'all ' : ''}${words.join(', ')}`
}
