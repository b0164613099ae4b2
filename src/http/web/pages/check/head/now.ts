/** The summary at the top. A sentence and four facts describe the check's state, all at the same point in time. */
import { nextSlotSentence, recoveryOf } from '../../../../../domain/sentence/check-head.ts'
import { headlineOf } from '../../../../../domain/sentence/sentence.ts'
import type { CheckPage } from '../../../../../services/overview/check-page.ts'
import { type Html, html } from '../../../html.ts'
import { submit } from '../../../parts/forms/buttons.ts'
import { sentenceHtml } from '../../../parts/words/sentence.ts'
import { stateShape } from '../../../parts/words/states.ts'
import { timeOf } from '../../../parts/words/times.ts'
import { ACTIONS } from '../actions.ts'
import { adviceSection } from '../advice.ts'
import type { CheckContext } from '../context.ts'
import { checkFacts } from './facts.ts'
import { heldLines } from './held.ts'
import { headNotes } from './notes.ts'
import { runningBar } from './running-bar.ts'

const TINTED = ['late', 'down', 'started'] as const

const FIRST_STEP = html`<p>Add the lines from <a href="#ping">Ping URL</a> to the job and run it once, or press “Ping now” to try it.</p>`

export function nowSection(page: CheckPage, context: CheckContext): Html {
  const { view, runs } = page
  const { now, tz, canWrite } = context
  const { state } = view
  const recovery = recoveryOf(view.check, page.flips)
  const { lead, detail } = headlineOf(view, runs, recovery)
  const tint = recovery !== null && state === 'up' ? ' up' : TINTED.some((each) => each === state) ? ` ${state}` : ''
  const isFirst = state === 'new' && !view.isResumed && view.uncounted.pings === null && canWrite
  const bar = runningBar(view, context)
  return html`<section class="card" id="now" aria-label="Now">${headNotes(page, context)}<div class="say${tint}">${stateShape(state, 'big')}<div><p>${sentenceHtml(lead, context)}</p>${detail.length > 0 && html`<p>${sentenceHtml(detail, context)}</p>`}${isFirst && FIRST_STEP}${view.isResumed && nextSlotLine(page, context)}${bar}${heldLines(page, context)}</div><span class="now-live">as of ${timeOf('now', now, now, tz)}</span>${view.isResumed && canWrite && watchForm(context)}</div>${adviceSection(page, context)}
${checkFacts(page, context)}</section>`
}

/** Renders a button for a resumed check. It makes the check expect the next run immediately, without waiting for a first ping. */
function watchForm({ pageHref }: CheckContext): Html {
  const button = submit({ text: 'Monitor from now on', isSmall: true, field: ACTIONS.watch })
  return html`<form method="post" action="${pageHref()}">${button}</form>`
}

function nextSlotLine({ view: { check } }: CheckPage, context: CheckContext): Html | null {
  const next = nextSlotSentence(check, context.now)
  return next.length > 0 ? html`<p>${sentenceHtml(next, context)}</p>` : null
}
