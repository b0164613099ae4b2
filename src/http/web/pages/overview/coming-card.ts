/**
 * The runs that are expected next. If nothing went wrong during the night, they are part of the night card. Otherwise, they have their own
 * card.
 */
import { isFine } from '../../../../domain/night/brief.ts'
import type { Coming } from '../../../../domain/night/coming.ts'
import type { Project } from '../../../../domain/project.ts'
import { isBefore } from '../../../../lib/time.ts'
import type { Overview } from '../../../../services/overview/overview.ts'
import type { PageContext } from '../../context.ts'
import { checkPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { timeOf } from '../../parts/words/times.ts'
import { checkName } from './context.ts'

export function comingCard({ night }: Overview, context: PageContext): Html {
  if (typeof night === 'string' || night.coming.length === 0 || isFine(night.brief)) {
    return html`<section id="coming" hidden></section>`
  }
  return html`<section class="card" id="coming" aria-labelledby="coming-h"><header><h2 id="coming-h">Next expected</h2></header>${comingList(night.coming, context)}</section>`
}

export function comingList(coming: readonly Coming<Project>[], context: PageContext): Html | null {
  // The night's data may be a minute old, so skip runs that are no longer in the future.
  const ahead = coming.filter(({ at }) => isBefore(context.now, at))
  return ahead.length === 0 ? null : html`<ul class="upnext">${ahead.map((one) => item(one, context))}</ul>`
}

/** Renders a run with a time such as `10:05, in 23 min` or `running, ends by 11:00`. */
function item({ place, check, at, isRunning }: Coming<Project>, { href, now, tz }: PageContext): Html {
  const clock = timeOf('clock', at, now, tz)
  const when = isRunning ? html`running, ends by ${clock}` : html`${clock}, ${timeOf('ago', at, now, tz)}`
  return html`<li><a href="${href(checkPath(place.slug, check.publicId))}">${checkName(check)}</a><span>${when}</span></li>`
}
