/** Explains a window's fields: when the window takes place, and for which checks it hides every run. */
import { periodInWords } from '../../../../../domain/duration.ts'
import { occurrencesOf, type SilenceTimes } from '../../../../../domain/silence/silence.ts'
import { windowWords } from '../../../../../domain/silence/words.ts'
import type { HiddenCheck } from '../../../../../services/silences/planned.ts'
import type { PageContext } from '../../../context.ts'
import { type Html, html } from '../../../html.ts'
import { occurrenceWords } from '../../../parts/forms/window-fields.ts'
import { createClock } from '../../../parts/words/clock.ts'
import { sentence } from '../../../parts/words/text.ts'
import { hiddenNotes } from '../hidden.ts'

/** Form field that the preview button submits if the browser does not run JavaScript. */
export const PREVIEW = { name: 'action', value: 'preview' } as const

/** @param times the times that the fields describe; null if a field is empty or invalid */
export function planMeaning(times: SilenceTimes | null, hidden: readonly HiddenCheck[], context: PageContext): Html {
  if (times === null) return html`<p class="help">Fill in the fields above to see when the window is.</p>`
  return html`${times.window === null ? onceMeaning(times, context) : againMeaning(times, context)}${hiddenNotes(hidden)}`
}

function onceMeaning(times: SilenceTimes, context: PageContext): Html | null {
  const { startsAt, endsAt } = times
  if (endsAt === null) return null
  const seconds = Math.round((endsAt.epochMilliseconds - startsAt.epochMilliseconds) / 1_000)
  return html`<p class="lead">${occurrenceWords({ startsAt, endsAt }, context)}, ${periodInWords(seconds)}.</p>`
}

/** Number of windows to list. */
const LISTED = 5

function againMeaning(times: SilenceTimes, { now, tz }: PageContext): Html {
  const { window, endsAt } = times
  const lead = window && html`<p class="lead">${sentence(windowWords(window))}</p>`
  const next = occurrencesOf(times, now, null, LISTED).map((one) => html`<li>${occurrenceWords(one, { now, tz })}</li>`)
  const last = endsAt !== null && html`<p class="help">None after ${createClock(now, tz).weekdayTime(endsAt)}.</p>`
  return html`${lead}<p class="help">Next, in ${tz.replaceAll('_', ' ')}:</p><ul class="next-l">${next}</ul>${last}`
}
