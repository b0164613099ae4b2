/** The card with the recoveries in the last 24 hours. */

import { microsecondsBetween } from '../../../../lib/time.ts'
import { durationWords } from '../../../../lib/time-words.ts'
import type { Overview, Recovered } from '../../../../services/overview/overview.ts'
import type { PageContext } from '../../context.ts'
import { type Html, html } from '../../html.ts'
import { wholeDurations } from '../../parts/words/durations.ts'
import { stateShape } from '../../parts/words/states.ts'
import { bdi, counted } from '../../parts/words/text.ts'
import { timeOf } from '../../parts/words/times.ts'
import { checkHref, checkName } from './context.ts'

/** Renders the card. If there are no recoveries, the card is hidden rather than omitted, so that a live update can fill it. */
export function recoveriesCard({ recoveries, hasMoreRecoveries, places }: Overview, context: PageContext): Html {
  if (recoveries.length === 0) return html`<section id="back-to-normal" hidden></section>`
  const items = recoveries.map((recovered) => line(recovered, places.length > 1, context))
  return html`<section class="card" id="back-to-normal" aria-labelledby="back-h"><header><h2 id="back-h">Back to normal</h2><p>last 24 hours</p></header><div class="body"><ol class="line">${items}</ol>${hasMoreRecoveries && html`<p class="help">Earlier recoveries are not shown.</p>`}</div></section>`
}

function line(recovered: Recovered, namesProject: boolean, context: PageContext): Html {
  const { actor, check, at, downSince, told } = recovered
  const { now, tz } = context
  const after =
    downSince && html` after ${wholeDurations(durationWords(microsecondsBetween(downSince, at) / 1_000_000))}`
  const project = namesProject && html` <span class="muted">${bdi(actor.project.name)}</span>`
  return html`<li>${stateShape('up')}<p><b><a href="${checkHref(context, actor, check)}">${checkName(check)}</a></b>${project} recovered ${timeOf('at', at, now, tz)}${after}. ${toldWords(told)}</p></li>`
}

function toldWords(told: Recovered['told']): string {
  const sent = told.filter(({ delivery }) => delivery.state === 'sent').length
  return told.length === 0 ? 'No one was alerted.' : `${sent} of ${counted(told.length, 'alert', 'alerts')} delivered.`
}
