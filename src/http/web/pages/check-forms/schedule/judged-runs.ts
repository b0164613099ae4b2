/** The last runs of a check, had it had another schedule: what would have been late, missing or too many, and what fits better. */

import { periodInWords } from '../../../../../domain/duration.ts'
import { type Replay, type ReplayTiming, sinceFirst } from '../../../../../domain/preview/replay.ts'
import type { Suggestion } from '../../../../../domain/preview/rhythm.ts'
import { durationWords } from '../../../../../lib/time-words.ts'
import type { SchedulePreview } from '../../../../../services/checks/schedule-preview.ts'
import { type Html, type HtmlValue, html } from '../../../html.ts'
import { submit } from '../../../parts/forms/buttons.ts'
import { strip } from '../../../parts/strip.ts'
import type { Zone } from '../../../parts/words/sentence.ts'
import { shown } from '../../../parts/words/text.ts'
import { scheduleFormFields, USE_SUGGESTION } from '../schedule-values.ts'
import { wokenHtml } from '../woken.ts'
import { extraWords } from './extra-runs.ts'

export function judgedRuns(timing: ReplayTiming, { replay, woken, suggestion }: SchedulePreview, zone: Zone): Html {
  if (replay === null) {
    return html`<div class="body"><h3>Your runs against this schedule</h3><p class="help">The log has no run yet to try this schedule on.</p></div>`
  }
  const judged = sinceFirst(replay)
  const count = judged.runs.length
  return html`<div class="body"><h3>${heading(count)}</h3><div class="judge">${strip(lettersOf(replay), stripWords(replay))}<p>${countWords(judged)}${lateWords(judged)}${extraHtml(judged, timing)}</p></div>${suggestion && suggestionHtml(suggestion)}</div>${woken && html`<div class="body">${wokenHtml(woken, zone)}</div>`}`
}

/** Nothing is known of how long they took. */
const LETTERS = { ok: 'm', late: 'M', failed: '1', missing: '0', extra: '3' } as const

function lettersOf({ runs }: Replay): string {
  return runs.map(({ kind }) => LETTERS[kind]).join('')
}

function stripWords(replay: Replay): string {
  const { onTime, late, failed, missing, extra } = replay
  const counts = [
    [onTime, 'on time'],
    [late, 'late'],
    [failed, 'failed'],
    [missing, 'missing'],
    [extra, 'extra'],
  ] as const
  return counts.flatMap(([count, words]) => (count > 0 ? [`${count} ${words}`] : [])).join(', ')
}

/** `21 of 22 on time, 1 late, none missing.` */
function countWords({ runs, onTime, late, failed, missing }: Replay): string {
  if (runs.length === 0) return 'The log has one run. None was expected before it.'
  const expected = onTime + late + failed + missing
  if (expected === 0) return 'No run was expected.'
  const first = onTime === expected && expected > 1 ? `All ${expected} on time` : `${onTime} of ${expected} on time`
  const others = [late > 0 && `${late} late`, failed > 0 && `${failed} failed`, `${missing || 'none'} missing`]
  return `${[first, ...others.filter((words) => words !== false)].join(', ')}.`
}

const FEW = 3
const MOST = 0.8
// Microseconds.
const SPREAD = 900_000_000
const HOUR = 3_600_000_000

/** Runs that are late by as much tell of another zone, where clocks may change by an hour between them. */
function lateWords({ runs }: Replay): string {
  const delays = runs.flatMap(({ delay }) => (delay === null ? [] : [delay])).sort((a, b) => a - b)
  const median = delays[Math.floor(delays.length / 2)] ?? 0
  const near = delays.filter((delay) => {
    const distance = Math.abs(delay - median)
    return distance <= SPREAD || Math.abs(distance - HOUR) <= SPREAD
  })
  if (delays.length < FEW || near.length < delays.length * MOST || median < HOUR / 2) return ''
  const who = near.length === delays.length ? 'Each' : 'Most'
  return ` ${who} came about ${durationWords(median / 1_000_000)} late: is the time zone right?`
}

function extraHtml({ runs, extra }: Replay, timing: ReplayTiming): HtmlValue {
  if (extra === 0) return null
  const { pings, question } = extraWords(runs, timing.tz)
  return html` <b>${pings}</b> would be extra: ${question}`
}

/** The button fills in the fields; without the script the server does. */
function suggestionHtml(suggestion: Suggestion): Html {
  const { timing, words, fits, of } = suggestion
  const zone = timing.kind === 'simple' || words.endsWith(')') ? '' : `, ${timing.tz}`
  const fill = JSON.stringify(scheduleFormFields(timing))
  return html`<div class="proposal"><p><b>This job seems to run ${shown(inSentence(words))}${zone}.</b> ${fits} of its last ${of} runs fit that, with ${periodInWords(timing.graceSeconds)} of grace.</p>${submit({ text: 'Use it', label: 'Use it: fill in the proposed schedule', isSmall: true, field: USE_SUGGESTION, fill })}</div>`
}

const WEEKDAY = /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day/
const DATE = /^(?:\d|first|second|third|fourth|fifth|last)/

/** `Daily at 02:00` after "seems to run". */
function inSentence(words: string): string {
  if (WEEKDAY.test(words)) return `on ${words}`
  const lower = words.charAt(0).toLowerCase() + words.slice(1)
  if (DATE.test(lower)) return `on the ${lower}`
  return lower.startsWith('week') ? `on ${lower}` : lower
}

function heading(count: number): string {
  if (count === 0) return 'Your runs against this schedule'
  return `Your last ${count === 1 ? 'run' : `${count} runs`} against this schedule`
}
