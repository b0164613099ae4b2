/**
 * Shows which of a check's last runs would have been late, missing or unexpected under another schedule. Suggests a schedule that fits the
 * runs better.
 */

import { adviceSentence } from '../../../../../domain/advice/sentence.ts'
import type { Suggestion } from '../../../../../domain/advice/suggestion.ts'
import type { Woken } from '../../../../../domain/advice/woken.ts'
import { scheduleWords } from '../../../../../domain/check/schedule-words.ts'
import { periodInWords } from '../../../../../domain/duration.ts'
import { type Replay, type ReplayTiming, sinceFirst } from '../../../../../domain/preview/replay.ts'
import type { RhythmPlot, TooFewRuns } from '../../../../../domain/rhythm-plot/rhythm-plot.ts'
import { Temporal } from '../../../../../lib/time.ts'
import { durationWords } from '../../../../../lib/time-words.ts'
import type { SchedulePreview } from '../../../../../services/advice/schedule-preview.ts'
import { type Html, type HtmlValue, html } from '../../../html.ts'
import { submit } from '../../../parts/forms/buttons.ts'
import { rhythmDrawing } from '../../../parts/rhythm/drawing.ts'
import { rhythmLegend } from '../../../parts/rhythm/legend.ts'
import { wholeDurations } from '../../../parts/words/durations.ts'
import { sentenceHtml, type Zone } from '../../../parts/words/sentence.ts'
import { sentence, shown } from '../../../parts/words/text.ts'
import { scheduleFormFields, USE_SUGGESTION } from '../schedule-values.ts'
import { wokenHtml } from '../woken.ts'
import { extraWords } from './extra-runs.ts'

interface JudgedPast {
  readonly timing: ReplayTiming
  readonly preview: Pick<SchedulePreview, 'replay' | 'woken' | 'suggestion'>
  /** rhythm of the past runs, compared with the schedule; null if unknown */
  readonly rhythm: RhythmPlot | TooFewRuns | null
}

export function judgedRuns({ timing, preview, rhythm }: JudgedPast, zone: Zone): Html {
  const { replay, woken, suggestion } = preview
  if (replay === null) {
    return html`<header><h2>Your runs against this schedule</h2></header><div class="body"><p class="help">The log does not contain any runs yet.</p></div>`
  }
  const judged = sinceFirst(replay)
  const count = judged.runs.length
  const figure = rhythm && rhythmFigure(rhythm)
  // The figure's caption already includes the count.
  const said = html`${figure === null && countWords(judged)}${lateWords(judged)}${extraHtml(judged, timing)}`
  return html`<header><h2>${heading(count)}</h2></header><div class="body">${woken && alertCounts(woken, zone)}${figure}${said.text !== '' && html`<p class="judge">${said}</p>`}${suggestion && suggestionHtml(suggestion, zone)}</div>${woken && html`<div class="body">${wokenHtml(woken, zone)}</div>`}`
}

/** Renders the number of alerts under the current and the new settings, in large digits. */
function alertCounts({ recent, over }: Woken, zone: Zone): HtmlValue {
  if (recent === null) return null
  const { since, alerts, alertsThen } = recent
  const span =
    since === over?.from
      ? html`since ${sentenceHtml([{ clock: Temporal.Instant.fromEpochMilliseconds(since) }], zone)}`
      : 'in 30 days'
  return html`<dl class="cmp"><div><dt>Alerts ${span}, current schedule</dt><dd>${alerts}</dd></div><div><dt>With this schedule</dt><dd>${alertsThen}</dd></div></dl>`
}

function rhythmFigure(plot: RhythmPlot | TooFewRuns): Html | null {
  if ('tooFew' in plot) return null
  const { finding, tz } = plot
  return html`<figure class="fig"><div class="swipe" tabindex="0" role="group" aria-label="Rhythm">${rhythmDrawing(plot, `With this schedule: ${finding}.`, 'half')}</div><figcaption>${wholeDurations(sentence(finding))} Times in ${shown(tz)}.</figcaption>${rhythmLegend(plot)}</figure>`
}

/** Returns a string such as `21 of 22 on time, 1 late, none missing.` */
function countWords({ runs, onTime, late, failed, missing }: Replay): string {
  if (runs.length === 0) return 'The log contains one run. None was expected before it.'
  const expected = onTime + late + failed + missing
  if (expected === 0) return 'No run was expected.'
  const first = onTime === expected && expected > 1 ? `All ${expected} on time` : `${onTime} of ${expected} on time`
  const others = [late > 0 && `${late} late`, failed > 0 && `${failed} failed`, `${missing || 'none'} missing`]
  return `${[first, ...others.filter((words) => words !== false)].join(', ')}.`
}

const FEW = 3
const MOST = 0.8
// Minimum median delay to report, in microseconds.
const SPREAD = 900_000_000
const HOUR = 3_600_000_000

/**
 * Suggests a cause for late runs. If all runs are late by about the same amount, the time zone is probably wrong. A clock change can
 * explain a difference of one hour.
 */
function lateWords({ runs }: Replay): string {
  const delays = runs.flatMap(({ delay }) => (delay === null ? [] : [delay])).sort((a, b) => a - b)
  const median = delays[Math.floor(delays.length / 2)] ?? 0
  const near = delays.filter((delay) => {
    const distance = Math.abs(delay - median)
    return distance <= SPREAD || Math.abs(distance - HOUR) <= SPREAD
  })
  if (delays.length < FEW || near.length < delays.length * MOST || median < HOUR / 2) return ''
  const who = near.length === delays.length ? 'Each' : 'Most'
  return ` ${who} arrived about ${durationWords(median / 1_000_000)} late: is the time zone right?`
}

function extraHtml({ runs, extra }: Replay, timing: ReplayTiming): HtmlValue {
  if (extra === 0) return null
  const { pings, question } = extraWords(runs, timing.tz)
  return html` <b>${pings}</b> would be extra: ${question}`
}

/** Offers a better schedule, with a button that fills in the fields. Without JavaScript, the server fills in the fields. */
function suggestionHtml({ advice, timing }: Suggestion, zone: Zone): Html {
  const { words } = scheduleWords(timing)
  const timeZone = timing.kind === 'simple' || words.endsWith(')') ? '' : `, ${timing.tz}`
  const fill = JSON.stringify(scheduleFormFields(timing))
  return html`<div class="proposal"><p><b>${sentenceHtml(adviceSentence(advice, true), zone)}</b> ${shown(words)}${timeZone}, with ${periodInWords(timing.graceSeconds)} of grace?</p>${submit({ text: 'Use it', label: 'Use it: fill in the proposed schedule', isSmall: true, field: USE_SUGGESTION, fill })}</div>`
}

function heading(count: number): string {
  if (count === 0) return 'Your runs against this schedule'
  return `Your last ${count === 1 ? 'run' : `${count} runs`} against this schedule`
}
