/** Describes deliveries, which are the results of alerts. */
import { type DeliveryEntry, isCancelled, type News } from '../../../../domain/alert/delivery.ts'
import type { ShownState } from '../../../../domain/check/shown-check.ts'
import { COUNTED_AT_MOST } from '../../../../services/alerts/delivery-list.ts'
import { type Html, html } from '../../html.ts'
import { stateShape } from './states.ts'
import { bdi } from './text.ts'

interface Look {
  readonly word: string
  readonly shape: ShownState
}

export const DELIVERY_LOOKS = {
  waiting: { word: 'Waiting', shape: 'new' },
  pending: { word: 'Retrying', shape: 'late' },
  failed: { word: 'Failed', shape: 'down' },
  cancelled: { word: 'Cancelled', shape: 'paused' },
  sent: { word: 'Sent', shape: 'up' },
} as const satisfies Readonly<Record<string, Look>>

function lookOf({ delivery: { state }, error }: Pick<DeliveryEntry, 'delivery' | 'error'>): Look {
  if (state === 'failed' && isCancelled(error)) return DELIVERY_LOOKS.cancelled
  return DELIVERY_LOOKS[state === 'pending' && error === null ? 'waiting' : state]
}

export function deliveryState(entry: Pick<DeliveryEntry, 'delivery' | 'error'>): Html {
  const { word, shape } = lookOf(entry)
  return html`<span class="word ${shape}">${stateShape(shape)}<span>${word}</span></span>`
}

/** Renders only the icon, for use next to an integration's name. */
export function alertShape(entry: Pick<DeliveryEntry, 'delivery' | 'error'>): Html {
  const { word, shape } = lookOf(entry)
  return html`${stateShape(shape)}<span class="sr">${word}: </span>`
}

/** Formats a count of deliveries. Counts are not exact beyond `COUNTED_AT_MOST`. */
export function approximately(count: number): string {
  return count >= COUNTED_AT_MOST ? `${count.toLocaleString('en')}+` : count.toLocaleString('en')
}

/** The event that an alert reports, in words that come after the check's name. */
export const NEWS_WORDS = {
  down: 'went down',
  up: 'recovered',
  acknowledged: 'has someone on it',
} as const satisfies Readonly<Record<News, string>>

/** Returns an alert's content, such as `Nightly backup went down`. */
export function alertWords({ checkName, status }: Pick<DeliveryEntry, 'checkName' | 'status'>): Html {
  const name = checkName === '' ? html`<i>no name</i>` : bdi(checkName)
  return html`${name} ${NEWS_WORDS[status]}`
}
