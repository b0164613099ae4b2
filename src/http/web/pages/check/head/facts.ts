/** The four facts below the sentence: the last run, its duration, the uptime, and the integrations that were alerted. */
import type { Check } from '../../../../../domain/check/check.ts'
import { usualOf, usualWords } from '../../../../../domain/check/usual-duration.ts'
import { isOverlapping, lastRunDuration } from '../../../../../domain/ping/overlap.ts'
import { sinceWords, uptimePercent } from '../../../../../domain/run/downtime.ts'
import { outcomeWords } from '../../../../../domain/run-list/outcome.ts'
import { noPingWords } from '../../../../../domain/sentence/sentence.ts'
import { Temporal } from '../../../../../lib/time.ts'
import { durationWords } from '../../../../../lib/time-words.ts'
import type { CheckPage } from '../../../../../services/overview/check-page.ts'
import { type Html, html } from '../../../html.ts'
import { type Fact, factList } from '../../../parts/lists.ts'
import { toldCount, toldItems } from '../../../parts/told.ts'
import { timeTag } from '../../../parts/words/clock.ts'
import { wholeDurations } from '../../../parts/words/durations.ts'
import { relativeTime } from '../../../parts/words/times.ts'
import type { CheckContext } from '../context.ts'
import { downtimeWords } from '../days.ts'

const SECOND = 1_000_000

export function checkFacts(page: CheckPage, context: CheckContext): Html {
  return factList([lastRunFact(page, context), durationFact(page), upFact(page, context), toldFact(page, context)])
}

/** Describes the last run in the same words as the list of runs. */
function lastRunFact({ view, listed }: CheckPage, { now, tz, clock }: CheckContext): Fact {
  // A check that was just resumed has no last ping, but its earlier runs are still in the list below.
  const ended = view.check.lastPingAt?.epochMilliseconds ?? listed.find((run) => run.ended !== null)?.ended ?? null
  if (ended === null) return { name: 'Last run', value: noPingWords(view), more: null }
  const at = Temporal.Instant.fromEpochMilliseconds(ended)
  const time = timeTag(at, clock.isToday(at) ? clock.time(at) : `${clock.day(at)}, ${clock.time(at)}`, tz)
  const run = listed.find((each) => each.ended === ended)
  const outcome = run && outcomeWords(run).replace(/^(?!OK)\w/, (letter) => letter.toLowerCase())
  const value = outcome === undefined ? time : html`${time}, ${wholeDurations(outcome)}`
  return { name: 'Last run', value, more: relativeTime(at, now, tz) }
}

function durationFact({ view: { check, state } }: CheckPage): Fact {
  const last = lastRunDuration(check)
  const usual = usualOf(check)
  const more = usual && wholeDurations(`usually ${usualWords(usual)}`)
  if (last !== null) return { name: 'Took', value: wholeDurations(durationWords(last / SECOND)), more }
  return { name: 'Took', value: '–', more: more ?? (state === 'new' ? null : noDurationWords(check)) }
}

function noDurationWords(check: Check): string {
  return isOverlapping(check) ? 'runs overlap without run ids' : 'no start was sent'
}

function upFact({ upAndDown: { total } }: CheckPage, { tz }: CheckContext): Fact {
  if (total === null) return { name: 'Up', value: '–', more: 'counted from the first ping' }
  const since = sinceWords(total, tz)
  return {
    name: since === null ? 'Up, last 90 days' : `Up ${since}`,
    value: `${uptimePercent(total)} %`,
    more: downtimeWords(total),
  }
}

/** Lists the integrations that were alerted about the newest status change that sends alerts, with the results. */
function toldFact({ told, view }: CheckPage, context: CheckContext): Fact {
  if (told === null) return { name: 'Alerted', value: 'no one', more: noAlertWords(view) }
  if (told.length === 0) return { name: 'Alerted', value: 'no one', more: 'no integration' }
  return { name: 'Alerted', value: toldCount(told), more: toldItems(told, context) }
}

function noAlertWords({ state, channelIds }: CheckPage['view']): string {
  if (channelIds.length === 0) return 'no integration'
  return state === 'down' || state === 'late' ? 'not yet' : 'nothing went wrong'
}
