/** The card “Up and down”. It shows the last ninety days, the last three months, and recent status changes. */

import { downtimeBefore, type Flip } from '../../../../domain/check/flip.ts'
import { isRunKind } from '../../../../domain/log/log-entry.ts'
import { type Downtime, upWords } from '../../../../domain/run/downtime.ts'
import type { UpAndDown } from '../../../../domain/run/up-and-down.ts'
import { lateSentence } from '../../../../domain/sentence/late-ping.ts'
import { durationWords } from '../../../../lib/time-words.ts'
import type { CheckPage } from '../../../../services/overview/check-page.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { daysBar } from '../../parts/days-bar.ts'
import { wholeDurations } from '../../parts/words/durations.ts'
import { sentenceHtml } from '../../parts/words/sentence.ts'
import { stateShape } from '../../parts/words/states.ts'
import { timeOf } from '../../parts/words/times.ts'
import type { CheckContext } from './context.ts'

const SECOND = 1_000_000
const FLIPS_SHOWN = 8
const MONTH = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' })

export function daysSection({ upAndDown, flips, pings }: CheckPage, context: CheckContext): Html {
  const { days, total } = upAndDown
  const first = days[0]?.day.toZonedDateTime(context.tz).toInstant() ?? context.now
  const items = flips
    .slice(0, FLIPS_SHOWN)
    .map((flip, index) => flipItem({ flip, isLast: index === 0, previous: flips[index + 1] ?? null }, pings, context))
  return html`<section class="card" id="days" aria-labelledby="days-h"><header><h2 id="days-h">Up and down</h2><p>${days.length} days</p></header>
<div class="body">${daysBar(days.map(({ look }) => look))}<div class="ends"><span>${context.clock.day(first)}</span><span>${total && upWords(total, context.tz)}</span><span>today</span></div>
<table class="months" aria-label="The last three months"><tbody>${monthRows(upAndDown, context.tz)}</tbody></table></div>
${items.length > 0 && html`<div class="body"><ol class="line">${items}</ol></div>`}</section>`
}

function monthRows({ months }: UpAndDown, tz: string): Html {
  return html`${months.toReversed().map(({ month, downtime }) => {
    const name = MONTH.format(Date.UTC(month.year, month.month - 1))
    const share = downtime === null ? 'not monitored' : upWords(downtime, tz)
    return html`<tr><th scope="row">${name}</th><td>${share}</td><td>${downtime && downtimeWords(downtime)}</td></tr>`
  })}`
}

/** Renders a phrase such as `down 3 times, 12 h 40 min`. */
export function downtimeWords({ count, microseconds }: Downtime): HtmlValue {
  if (count === 0) return 'never down'
  const times = count === 1 ? 'once' : `${count.toLocaleString('en')} times`
  return wholeDurations(`down ${times}, ${durationWords(microseconds / SECOND)}`)
}

interface FlipItem {
  readonly flip: Flip
  /** true if the check is still in this state */
  readonly isLast: boolean
  /** the previous flip; null if unknown */
  readonly previous: Flip | null
}

function flipItem(item: FlipItem, pings: CheckPage['pings'], { now, tz, pageHref }: CheckContext): Html {
  const { flip } = item
  const time = timeOf('clock', flip.createdAt, now, tz)
  const { title, detail } = flipWords(item, time)
  const failure = flip.reason === 'fail' ? failureOf(flip, pings) : null
  const link = failure && html`<a href="${pageHref(`log/${failure.n}`)}">ping #${failure.n}</a>`
  const why = failure && html`Failed${failure.exitStatus !== null && `: exit status ${failure.exitStatus}`}, ${link}.`
  const late = lateSentence(flip, pingOf(flip, pings), item.previous)
  return html`<li>${stateShape(flip.newStatus)}<p><b>${title}</b> ${why ?? detail}${late.length > 0 && html` ${sentenceHtml(late, { now, tz })}`}</p></li>`
}

function flipWords(
  { flip, isLast, previous }: FlipItem,
  time: Html,
): { readonly title: HtmlValue; readonly detail: HtmlValue } {
  const { oldStatus, newStatus, reason } = flip
  switch (newStatus) {
    case 'down':
      return {
        title: html`Down${isLast && ' since'} ${time}.`,
        detail: reason === 'timeout' ? 'No ping arrived in time.' : 'A ping reported a failure.',
      }
    case 'up': {
      if (oldStatus === 'paused') return { title: html`Up ${time}.`, detail: 'A ping resumed the check.' }
      if (oldStatus === 'new') return { title: html`Up ${time}.`, detail: 'Monitoring started.' }
      const lasted = downtimeBefore(flip, previous)
      return {
        title: html`Up ${time}`,
        detail: lasted === null ? 'again.' : wholeDurations(`after ${durationWords(lasted)} down.`),
      }
    }
    case 'paused':
      return { title: html`Paused${isLast && ' since'} ${time}.`, detail: null }
    case 'new':
      return { title: html`Resumed ${time}.`, detail: 'Not monitored until the next ping.' }
  }
}

/** Returns the ping that took the check down; null if that ping is no longer in the log. */
function failureOf(flip: Flip, pings: CheckPage['pings']): CheckPage['pings'][number] | null {
  const ping = pingOf(flip, pings)
  return ping?.kind === 'fail' ? ping : null
}

/** Returns the ping that changed the state; null if that ping is no longer in the log. */
function pingOf({ createdAt }: Flip, pings: CheckPage['pings']): CheckPage['pings'][number] | null {
  return pings.find(({ kind, receivedAt }) => isRunKind(kind) && receivedAt.equals(createdAt)) ?? null
}
