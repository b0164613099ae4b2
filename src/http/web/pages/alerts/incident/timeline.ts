/** An incident's timeline, oldest entry first. It shows the check's flips, alerts with their results, and the members' actions. */

import { type DeliveryEntry, type News, quietEnd } from '../../../../../domain/alert/delivery.ts'
import { toldProgress } from '../../../../../domain/alert/told.ts'
import type { Flip } from '../../../../../domain/check/flip.ts'
import type { NumberedEvent } from '../../../../../domain/incident/event.ts'
import { byWords, eventSentence } from '../../../../../domain/incident/words.ts'
import { type Instant, microsecondsBetween } from '../../../../../lib/time.ts'
import { durationWords } from '../../../../../lib/time-words.ts'
import { keyOf } from '../../../../../services/alerts/delivery-list.ts'
import { type Html, html } from '../../../html.ts'
import { channelName } from '../../../parts/channels.ts'
import { submit } from '../../../parts/forms/buttons.ts'
import { hiddenField } from '../../../parts/forms/fields.ts'
import { type IconName, icon } from '../../../parts/icons.ts'
import { linkedText } from '../../../parts/linked-text.ts'
import { alertShape } from '../../../parts/words/delivery-words.ts'
import { wholeDurations } from '../../../parts/words/durations.ts'
import { sentenceHtml } from '../../../parts/words/sentence.ts'
import { stateShape } from '../../../parts/words/states.ts'
import { bdi, counted, shown, shownLines } from '../../../parts/words/text.ts'
import { timeOf } from '../../../parts/words/times.ts'
import { alertPath } from '../query.ts'
import { type IncidentData, ownPath } from './context.ts'

interface Line {
  readonly at: Instant
  /** number of the event, or for an alert, number of the event that it is about */
  readonly n: number
  readonly html: Html
}

export function timeline(data: IncidentData): Html {
  const { events, told } = data.page
  const lines = [
    ...events.map((event): Line => ({ at: timeOfEvent(event), n: event.n, html: eventLine(event, data) })),
    ...told.map(
      (entry): Line => ({
        at: entry.endedAt ?? entry.delivery.createdAt,
        n: entry.delivery.eventN,
        html: alertLine(entry, data),
      }),
    ),
  ]
  // The sort is stable, so an event comes before its alerts.
  const sorted = lines.toSorted((a, b) => microsecondsBetween(b.at, a.at) || a.n - b.n)
  return html`<ol class="line" id="timeline">${sorted.map((line) => line.html)}</ol>`
}

function timeOfEvent(event: NumberedEvent): Instant {
  return event.kind === 'flip' ? event.createdAt : event.at
}

function clockOf(at: Instant, { page: { now }, context: { tz } }: IncidentData): Html {
  return html`<span class="who-t">${timeOf('clock', at, now, tz)}</span>`
}

function eventLine(event: NumberedEvent, data: IncidentData): Html {
  const { page, context } = data
  if (event.kind === 'flip') return flipLine(event, data)
  const time = clockOf(event.at, data)
  if (event.kind === 'note') {
    const who = sentenceHtml([byWords(event.by)], context)
    return html`<li>${icon('note')}<p>${time} <b>${who}</b> noted:</p><q>${linkedText(event.text)}</q></li>`
  }
  if (event.kind === 'held') {
    const reason = page.silences.get(event.silenceId)?.reason ?? ''
    const until = timeOf('clock', event.until, page.now, context.tz)
    return html`<li>${icon('mute')}<p>${time} <b>No alert:</b> muted until ${until}.${reason !== '' && html` ‘${bdi(reason)}’`}</p></li>`
  }
  const words = sentenceHtml(eventSentence(event, null), context)
  return html`<li>${icon(ICONS[event.kind])}<p>${time} ${words}</p></li>`
}

const ICONS = { acknowledged: 'hand', released: 'bell' } as const satisfies Record<string, IconName>

function flipLine(flip: Flip, data: IncidentData): Html {
  const { context } = data
  const log = html`<a href="${context.logHref(flip.createdAt)}">Log</a>`
  return html`<li>${flipShape(flip)}<p>${clockOf(flip.createdAt, data)} ${flipWords(flip, data)} ${log}</p>${flip.n === data.page.incident.n && alertText(data)}</li>`
}

function alertText({ page: { text } }: IncidentData): Html | false {
  if (text === null) return false
  return html`<details class="answer"><summary>What the alert says</summary><pre class="out" dir="auto" tabindex="0" role="group" aria-label="Text of the alert">${shownLines(text)}</pre></details>`
}

function flipShape({ newStatus }: Flip): Html {
  if (newStatus === 'down' || newStatus === 'paused') return stateShape(newStatus)
  return stateShape('up')
}

const REASONS = { fail: 'the job failed.', timeout: 'no ping arrived in time.', '': '' } as const

function flipWords({ newStatus, reason, createdAt }: Flip, { page: { incident } }: IncidentData): Html {
  if (newStatus === 'down') return html`<b>Went down${reason === '' ? '.' : ':'}</b> ${REASONS[reason]}`
  const took = wholeDurations(durationWords(microsecondsBetween(incident.openedAt, createdAt) / 1_000_000))
  return html`<b>${newStatus === 'paused' ? 'Paused' : 'Recovered'}</b> after ${took}.`
}

const SENT_WORDS = {
  down: 'was alerted',
  up: 'was notified that it is over',
  acknowledged: 'was notified that someone is on it',
} as const satisfies Readonly<Record<News, string>>

function alertLine(entry: DeliveryEntry, data: IncidentData): Html {
  const { context } = data
  const { delivery, endedAt, channelName: name, channelKind: kind } = entry
  const time = clockOf(endedAt ?? delivery.createdAt, data)
  const own = context.href(alertPath(context.slug, keyOf(entry)))
  const words = delivery.state === 'sent' ? SENT_WORDS[entry.status] : progress(entry, data)
  const tries = html`<a href="${own}">${counted(delivery.attempts, 'attempt', 'attempts')}</a>`
  return html`<li>${alertShape(entry)}<p>${time} <b>${channelName({ name, kind })}</b> ${words}. ${tries}</p>${retryForm(entry, own, data)}</li>`
}

function progress(entry: DeliveryEntry, { context }: IncidentData): Html {
  const why = entry.error !== null && html`: ${shown(entry.error)}`
  return html`${sentenceHtml(toldProgress(entry), context)}${why}`
}

function retryForm(entry: DeliveryEntry, own: string, data: IncidentData): Html | false {
  const { delivery, error } = entry
  const isStuck = delivery.state === 'failed' || (delivery.state === 'pending' && error !== null)
  if (!data.context.canWrite || !isStuck || quietEnd(entry) !== null) return false
  const button = submit({ text: 'Retry', isSmall: true, field: { name: 'action', value: 'retry' } })
  return html`<form method="post" action="${own}">${hiddenField('back', ownPath(data))}${button}</form>`
}
