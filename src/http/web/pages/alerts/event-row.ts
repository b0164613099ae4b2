/** What the list of alerts shows of an event: a line that says what happened and who was alerted, and below it each alert. */
import type { DeliveryEntry } from '../../../../domain/alert/delivery.ts'
import type { AlertedEvent } from '../../../../services/alerts/alerted-events.ts'
import { keyOf } from '../../../../services/alerts/delivery-list.ts'
import type { PageContext } from '../../context.ts'
import { checkPath, incidentPath } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { channelName } from '../../parts/channels.ts'
import { linkButton, submit } from '../../parts/forms/buttons.ts'
import { hiddenField } from '../../parts/forms/fields.ts'
import { icon } from '../../parts/icons.ts'
import { alertShape, deliveryState } from '../../parts/words/delivery-words.ts'
import { stateShape } from '../../parts/words/states.ts'
import { bdi, counted, shown } from '../../parts/words/text.ts'
import { timeOf } from '../../parts/words/times.ts'
import { alertPath } from './query.ts'

interface RowContext extends PageContext {
  readonly slug: string
  /** true: the reader may retry */
  readonly canWrite: boolean
  /** where a retry leads, a local path */
  readonly back: string
}

export function eventRow(event: AlertedEvent, context: RowContext): Html {
  const { first, entries } = event
  const { delivery, checkPublicId, status, isOpen } = first
  const isDown = status === 'down'
  const what = html`<span class="${isDown ? 'dn' : 'ok'}">${isDown ? 'went down' : 'recovered'}</span>`
  const name = first.checkName === '' ? html`<i>no name</i>` : bdi(first.checkName)
  const since = isOpen && html`<span class="sub">Still down.</span>`
  const to = entries.map((entry) => html`<span>${alertShape(entry)}${nameOf(entry)}</span> `)
  // Somebody may have to look at these.
  const isUnfolded = entries.some(isStuck)
  return html`<li id="d-${checkPublicId}-${delivery.eventN}"><details${isUnfolded && html` open`}><summary>${stateShape(isDown ? 'down' : 'up')}<span class="alert"><b>${name}</b> ${what}${since}</span><span class="to">${to}</span><span class="when">${timeOf('at', delivery.createdAt, context.now, context.tz)}</span>${icon('right')}</summary><div class="each">${entries.map((entry) => alertLine(entry, context))}<div class="acts">${links(event, context)}</div></div></details></li>`
}

function nameOf({ channelName: name, channelKind: kind }: DeliveryEntry): Html | string {
  return channelName({ name, kind })
}

function isStuck({ delivery: { state }, error }: DeliveryEntry): boolean {
  return state === 'failed' || (state === 'pending' && error !== null)
}

function alertLine(entry: DeliveryEntry, context: RowContext): Html {
  const { delivery, error } = entry
  const path = context.href(alertPath(context.slug, keyOf(entry)))
  const why = error !== null && html`<span class="why">${shown(error)}</span>`
  return html`<div class="one">${deliveryState(entry)}<a href="${path}">${nameOf(entry)}</a>${why}<span class="tries">${counted(delivery.attempts, 'try', 'tries')}</span><span class="when">${when(entry, context)}</span>${
    context.canWrite && isStuck(entry) && retryButton(context, path)
  }</div>`
}

function retryButton({ back }: RowContext, path: string): Html {
  const button = submit({ text: 'Retry', isSmall: true, field: { name: 'action', value: 'retry' } })
  return html`<form method="post" action="${path}">${hiddenField('back', back)}${button}</form>`
}

/** When it is tried next, or when it ended. */
function when({ delivery, nextAttemptAt, endedAt }: DeliveryEntry, { now, tz }: RowContext): HtmlValue {
  if (delivery.state === 'pending')
    return nextAttemptAt === null ? 'after an earlier alert' : timeOf('ago', nextAttemptAt, now, tz)
  return timeOf('at', endedAt ?? delivery.createdAt, now, tz)
}

function links({ first, incidentN }: AlertedEvent, { href, slug }: RowContext): Html {
  const { checkPublicId } = first
  const incident =
    incidentN !== null &&
    linkButton({ text: 'Open the incident', isSmall: true, href: href(incidentPath(slug, checkPublicId, incidentN)) })
  const check = linkButton({ text: 'Open the check', isSmall: true, href: href(checkPath(slug, checkPublicId)) })
  return html`${incident}${check}`
}
