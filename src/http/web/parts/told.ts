/** Describes the alerts about a flip, whether or not they were sent, for the facts at the top of a page. */
import type { DeliveryEntry } from '../../../domain/alert/delivery.ts'
import { toldProgress } from '../../../domain/alert/told.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import { channelName } from './channels.ts'
import { sentenceHtml, type Zone } from './words/sentence.ts'
import { shown } from './words/text.ts'
import { timeOf } from './words/times.ts'

/** Returns how many of the alerts were sent, as in `2 of 3`. */
export function toldCount(told: readonly DeliveryEntry[]): string {
  return `${told.filter(({ delivery }) => delivery.state === 'sent').length} of ${told.length}`
}

/** Lists each integration with the time of its alert, or the reason why it got no alert. */
export function toldItems(told: readonly DeliveryEntry[], zone: Zone): HtmlValue {
  return told.map((entry, index) => html`${index > 0 && '; '}${toldItem(entry, zone)}`)
}

function toldItem(entry: DeliveryEntry, zone: Zone): Html {
  const { delivery, endedAt, error, channelName: name, channelKind: kind } = entry
  const who = channelName({ name, kind })
  if (delivery.state === 'sent') return html`${who}${endedAt && html` ${timeOf('clock', endedAt, zone.now, zone.tz)}`}`
  const why = error !== null && html`: ${shown(error)}`
  return html`${who} ${sentenceHtml(toldProgress(entry), zone)}${why}`
}
