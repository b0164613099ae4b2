/** An event in the list of alerts. Its row names the event and the alerted integrations, and expands to list the individual alerts. */
import { type DeliveryEntry, type News, quietEnd } from '../../../../domain/alert/delivery.ts'
import { lastingSentence } from '../../../../domain/incident/lasting.ts'
import type { AlertedEvent } from '../../../../services/alerts/alerted-events.ts'
import { keyOf } from '../../../../services/alerts/delivery-list.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { channelName } from '../../parts/channels.ts'
import { submit } from '../../parts/forms/buttons.ts'
import { hiddenField } from '../../parts/forms/fields.ts'
import { icon } from '../../parts/icons.ts'
import { alertShape, deliveryState, NEWS_WORDS } from '../../parts/words/delivery-words.ts'
import { sentenceHtml } from '../../parts/words/sentence.ts'
import { stateShape } from '../../parts/words/states.ts'
import { counted, shown } from '../../parts/words/text.ts'
import { timeOf } from '../../parts/words/times.ts'
import { alertPath } from './query.ts'
import { alertRow, nameHtml, type RowContext, rowLinks } from './row.ts'

interface EventContext extends RowContext {
  /** true if the reader may retry alerts */
  readonly canWrite: boolean
  /** local path to redirect to after a retry */
  readonly back: string
}

/** CSS classes that set the color for each kind of event. */
const LOOKS = { down: 'dn', up: 'ok', acknowledged: '' } as const satisfies Readonly<Record<News, string>>

export function eventRow(event: AlertedEvent, context: EventContext): Html {
  const { first, entries } = event
  const { delivery, checkPublicId, checkName, status } = first
  return alertRow(
    {
      id: `d-${checkPublicId}-${delivery.eventN}`,
      // Expand the row if an alert may need attention.
      isUnfolded: entries.some(isStuck),
      shape: status === 'acknowledged' ? icon('hand') : stateShape(status),
      what: html`<b>${nameHtml(checkName)}</b> <span class="${LOOKS[status]}">${NEWS_WORDS[status]}</span>`,
      more: moreWords(event, context),
      to: entries.map((entry) => html`<span>${alertShape(entry)}${nameOf(entry)}</span> `),
      at: delivery.createdAt,
      each: html`${entries.map((entry) => alertLine(entry, context))}<div class="acts">${links(event, context)}</div>`,
    },
    context,
  )
}

/** Returns how long the incident has lasted and who is working on it. */
function moreWords({ first: { status, isOpen }, incident }: AlertedEvent, context: EventContext): Html | null {
  if (incident === null) return isOpen ? html`Still down.` : null
  return sentenceHtml(lastingSentence(incident, status === 'up', context.now), context)
}

function nameOf({ channelName: name, channelKind: kind }: DeliveryEntry): Html | string {
  return channelName({ name, kind })
}

function isStuck({ delivery: { state }, error }: DeliveryEntry): boolean {
  return state === 'failed' || (state === 'pending' && error !== null)
}

function alertLine(entry: DeliveryEntry, context: EventContext): Html {
  const { delivery, error } = entry
  const path = context.href(alertPath(context.slug, keyOf(entry)))
  const why = error !== null && html`<span class="why">${shown(error)}</span>`
  return html`<div class="one">${deliveryState(entry)}<a href="${path}">${nameOf(entry)}</a>${why}<span class="tries">${counted(delivery.attempts, 'attempt', 'attempts')}</span><span class="when">${when(entry, context)}</span>${
    context.canWrite && isStuck(entry) && quietEnd(entry) === null && retryButton(context, path)
  }</div>`
}

function retryButton({ back }: EventContext, path: string): Html {
  const button = submit({ text: 'Retry', isSmall: true, field: { name: 'action', value: 'retry' } })
  return html`<form method="post" action="${path}">${hiddenField('back', back)}${button}</form>`
}

/** Describes when the next attempt is due, or when the alert was delivered or finally failed. */
function when({ delivery, nextAttemptAt, endedAt }: DeliveryEntry, { now, tz }: EventContext): HtmlValue {
  const quiet = quietEnd({ delivery, nextAttemptAt })
  if (quiet !== null) return html`held by quiet hours until ${timeOf('clock', quiet, now, tz)}`
  if (delivery.state === 'pending')
    return nextAttemptAt === null ? 'after an earlier alert' : timeOf('ago', nextAttemptAt, now, tz)
  return timeOf('at', endedAt ?? delivery.createdAt, now, tz)
}

function links({ first, incident }: AlertedEvent, context: EventContext): Html {
  return rowLinks(first.checkPublicId, incident?.n ?? null, context)
}
