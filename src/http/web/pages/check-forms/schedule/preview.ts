/**
 * The cards next to the schedule fields. They show a sentence about the schedule, a ruler, the next runs, and which past runs would have
 * been on time.
 */

import { periodInWords } from '../../../../../domain/duration.ts'
import type { ReplayTiming } from '../../../../../domain/preview/replay.ts'
import type { RhythmPlot, TooFewRuns } from '../../../../../domain/rhythm-plot/rhythm-plot.ts'
import { addSeconds, type Instant } from '../../../../../lib/time.ts'
import type { SchedulePreview } from '../../../../../services/advice/schedule-preview.ts'
import { type Html, type HtmlValue, html } from '../../../html.ts'
import { submit } from '../../../parts/forms/buttons.ts'
import { createClock } from '../../../parts/words/clock.ts'
import { shown } from '../../../parts/words/text.ts'
import { PREVIEW } from '../schedule-values.ts'
import { SAVING_PART } from '../woken.ts'
import { judgedRuns } from './judged-runs.ts'
import { nextRuns } from './next-runs.ts'
import { ruler } from './ruler.ts'

/** The meaning of a typed schedule, or the mistake in it. */
export type ScheduleMeaning =
  | { readonly kind: 'mistake'; readonly words: string }
  | {
      readonly kind: 'schedule'
      readonly timing: ReplayTiming
      readonly preview: SchedulePreview
      /** rhythm of the past runs, compared with this schedule; null if the check does not exist yet */
      readonly rhythm: RhythmPlot | TooFewRuns | null
      /** time of the last run, which is the start of the current period; null if there is none */
      readonly lastRun: Instant | null
      /** true if the check already exists, in which case the preview mentions that its log is empty */
      readonly hasLog: boolean
      readonly now: Instant
      /** IANA time zone from the reader's account settings */
      readonly tz: string
    }

/** Selectors of the elements that the script updates. */
export const MEANING_PARTS = ['#mistake', '#means', '#next-runs', '#judged', SAVING_PART] as const

export function meaningCard(meaning: ScheduleMeaning): Html {
  return html`<section class="card preview" aria-labelledby="meaning-h"><header><h2 id="meaning-h">What this means</h2><span class="live">as you type</span><noscript>${submit({ text: 'Preview', label: 'Preview schedule', isSmall: true, field: PREVIEW })}</noscript></header>
${meaningParts(meaning)}${meaning.kind === 'mistake' && parts(null, null)}</section>`
}

/** Renders the parts that change while the user types. If the schedule has a mistake, the page keeps the previous content. */
export function meaningParts(meaning: ScheduleMeaning): Html {
  if (meaning.kind === 'mistake') return mistakePart(html`<p class="lead none">${meaning.words}</p>`)
  const { preview, timing, now } = meaning
  const lead = html`<p class="lead">${meaningWords(timing, preview, now)}</p>`
  return html`${mistakePart(null)}${parts(lead, html`${ruler(meaning)}${nextRuns(meaning)}`)}`
}

function mistakePart(mistake: HtmlValue): Html {
  return html`<div id="mistake" role="status">${mistake}</div>
`
}

function parts(means: HtmlValue, next: HtmlValue): Html {
  return html`<div class="body" id="means" role="status">${means}</div>
<div id="next-runs">${next}</div>
`
}

/**
 * Renders which past runs would have been on time, late or missing. The card is updated while the user types, unless the schedule has a
 * mistake.
 */
export function judgedCard(meaning: ScheduleMeaning): Html {
  const judged = meaning.kind === 'schedule' && meaning.hasLog && judgedRuns(meaning, meaning)
  return html`<section class="card preview" id="judged" aria-label="Your runs against this schedule" aria-live="polite">${judged}</section>
`
}

/** Returns a string such as `Weekdays at 02:00, Europe/Riga. Alerts are sent at 02:30.` */
export function meaningWords(timing: ReplayTiming, { words, next }: SchedulePreview, now: Instant): string {
  const { kind, timeoutSeconds, graceSeconds, tz } = timing
  if (kind === 'simple') {
    return `${words}. Alerts are sent if no ping arrives for ${periodInWords(timeoutSeconds + graceSeconds)}.`
  }
  // An OnCalendar expression may end with a time zone.
  const zone = words.endsWith(')') ? '' : `, ${tz}`
  const isElsewhere = zone === '' && !words.endsWith(`(${tz})`)
  const times = isElsewhere ? [] : next
  return `${shown(words)}${zone}. ${next.length === 0 ? NO_RUN : alertWords(timing, times, now)}`
}

const NO_RUN = 'All of its dates are in the past, so no runs are expected and no alerts are sent.'

const DAY = 86_400

/** @param next times of the next runs; empty if their time zone would differ from the expression's */
function alertWords({ graceSeconds, tz }: ReplayTiming, next: readonly Instant[], now: Instant): string {
  const { time, day } = createClock(now, tz)
  const alerts = next.map((due) => addSeconds(due, graceSeconds))
  const times = new Set(alerts.map(time))
  const isSameDay = next.every((due, index) => day(due) === day(alerts[index] ?? due))
  const [only] = times
  if (times.size > 1 || graceSeconds > DAY || only === undefined) {
    return `Alerts are sent ${periodInWords(graceSeconds)} after a run was due.`
  }
  return `Alerts are sent at ${only}${isSameDay ? '' : ' the next day'}.`
}
