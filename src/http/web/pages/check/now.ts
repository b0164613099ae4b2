/** State of the check now: in a sentence, in five facts. */
import type { DeliveryEntry } from '../../../../domain/alert/delivery.ts'
import { toldProgress } from '../../../../domain/alert/told.ts'
import type { Check } from '../../../../domain/check/check.ts'
import { downtimeBefore } from '../../../../domain/check/flip.ts'
import { expectedIfReadable } from '../../../../domain/check/status.ts'
import { usualOf, usualWords } from '../../../../domain/check/usual-duration.ts'
import { isOverlapping, lastRunDuration } from '../../../../domain/ping/overlap.ts'
import { sinceWords, uptimePercent } from '../../../../domain/run/downtime.ts'
import { headlineOf, noPingWords, type Recovery } from '../../../../domain/sentence/sentence.ts'
import { isBefore, Temporal } from '../../../../lib/time.ts'
import { durationWords } from '../../../../lib/time-words.ts'
import type { CheckPage } from '../../../../services/overview/check-page.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { channelName } from '../../parts/channels.ts'
import { timeTag } from '../../parts/words/clock.ts'
import { sentenceHtml } from '../../parts/words/sentence.ts'
import { stateShape } from '../../parts/words/states.ts'
import { shown } from '../../parts/words/text.ts'
import { relativeTime, timeOf } from '../../parts/words/times.ts'
import { adviceSection } from './advice.ts'
import type { CheckContext } from './context.ts'
import { downtimeWords } from './days.ts'

const SECOND = 1_000_000
/** The others need no colour. */
const TINTED = ['late', 'down', 'started'] as const

const FIRST_STEP = html`<p>Add the lines of <a href="#ping">Ping this check</a> to the job and run it once, or press “Ping now” to try it.</p>`

/** One of the facts below the sentence. */
interface Fact {
  readonly name: string
  readonly value: HtmlValue
  readonly more: HtmlValue
}

export function nowSection(page: CheckPage, context: CheckContext): Html {
  const { view, runs, pause } = page
  const { state } = view
  const { lead, detail } = headlineOf(view, runs, pause, recoveryOf(page))
  const tint = TINTED.some((each) => each === state) ? ` ${state}` : ''
  const facts = [
    lastPingFact(page, context),
    dueFact(page, context),
    durationFact(page),
    upFact(page, context),
    toldFact(page, context),
  ]
  return html`<section class="card" id="now" aria-label="Now"><div class="say${tint}">${stateShape(state, 'big')}<div><p>${sentenceHtml(lead, context)}</p>${detail.length > 0 && html`<p>${sentenceHtml(detail, context)}</p>`}${state === 'new' && !view.isResumed && view.uncounted.pings === null && context.canWrite && FIRST_STEP}</div></div>${adviceSection(page, context)}
<dl class="facts">${facts.map(factHtml)}</dl></section>`
}

function factHtml({ name, value, more }: Fact): Html {
  return html`<div><dt>${name}</dt><dd>${value}<small>${more}</small></dd></div>`
}

/** Null unless the last ping brought the check up from down. */
function recoveryOf({ view: { check }, flips: [last, before] }: CheckPage): Recovery | null {
  const isRecovery = last?.newStatus === 'up' && last.oldStatus === 'down' && check.lastPingAt !== null
  if (!isRecovery || Temporal.Instant.compare(check.lastPingAt, last.createdAt) !== 0) return null
  return { downtime: downtimeBefore(last, before ?? null) }
}

function lastPingFact({ view }: CheckPage, { now, tz, clock }: CheckContext): Fact {
  const at = view.check.lastPingAt
  if (at === null) return { name: 'Last ping', value: noPingWords(view), more: null }
  const words = clock.isToday(at) ? clock.time(at) : `${clock.day(at)}, ${clock.time(at)}`
  return { name: 'Last ping', value: relativeTime(at, now, tz), more: timeTag(at, words, tz) }
}

function dueFact({ view }: CheckPage, { now, tz }: CheckContext): Fact {
  const { check, state, isResumed } = view
  // A check that is down expects nothing, but the run that did not come has its time.
  const due = state === 'paused' || state === 'new' ? null : expectedIfReadable({ ...check, status: 'up' })
  if (due === null) {
    const more = state === 'new' ? `after the ${isResumed ? 'next' : 'first'} ping` : null
    return { name: 'Next ping due', value: '–', more }
  }
  const value = timeOf('clock', due, now, tz)
  if (isBefore(now, due)) return { name: 'Next ping due', value, more: relativeTime(due, now, tz) }
  return { name: 'Was due', value, more: state === 'started' ? 'it is running' : relativeTime(due, now, tz) }
}

function durationFact({ view: { check, state } }: CheckPage): Fact {
  const last = lastRunDuration(check)
  const usual = usualOf(check)
  const more = usual && `usually ${usualWords(usual)}`
  if (last !== null) return { name: 'Last duration', value: durationWords(last / SECOND), more }
  return { name: 'Last duration', value: '–', more: more ?? (state === 'new' ? null : noDurationWords(check)) }
}

function noDurationWords(check: Check): string {
  return isOverlapping(check) ? 'runs overlap without run ids' : 'no start was sent'
}

function upFact({ upAndDown: { total } }: CheckPage, { tz }: CheckContext): Fact {
  if (total === null) return { name: 'Uptime', value: '–', more: 'counted from the first ping' }
  const since = sinceWords(total, tz)
  return {
    name: since === null ? 'Uptime, last 90 days' : `Uptime ${since}`,
    value: `${uptimePercent(total)} %`,
    more: downtimeWords(total),
  }
}

/** Integrations that were told of the newest change that sends alerts, and those that were not. */
function toldFact({ told, view }: CheckPage, context: CheckContext): Fact {
  if (told === null) return { name: 'Alerted', value: 'no one', more: noAlertWords(view) }
  if (told.length === 0) return { name: 'Alerted', value: 'no one', more: 'no integration' }
  const sent = told.filter(({ delivery }) => delivery.state === 'sent')
  const items = told.map((entry, index) => html`${index > 0 && '; '}${channelWords(entry, context)}`)
  return { name: 'Alerted', value: `${sent.length} of ${told.length}`, more: items }
}

function noAlertWords({ state, channelIds }: CheckPage['view']): string {
  if (channelIds.length === 0) return 'no integration'
  return state === 'down' || state === 'late' ? 'not yet' : 'nothing went wrong'
}

function channelWords(entry: DeliveryEntry, { now, tz }: CheckContext): Html {
  const { delivery, endedAt, error, channelName: name, channelKind: kind } = entry
  const who = channelName({ name, kind })
  if (delivery.state === 'sent') return html`${who}${endedAt && html` ${timeOf('clock', endedAt, now, tz)}`}`
  const why = error !== null && html`: ${shown(error)}`
  return html`${who} ${sentenceHtml(toldProgress(entry), { now, tz })}${why}`
}
