/** Who was told of the last change, and who was not. */
import type { DeliveryEntry } from '../../../../domain/alert/delivery.ts'
import { toldProgress } from '../../../../domain/alert/told.ts'
import type { CheckPage } from '../../../../services/overview/check-page.ts'
import { type Html, html } from '../../html.ts'
import { channelName } from '../../parts/channels.ts'
import { sentenceHtml } from '../../parts/words/sentence.ts'
import { shown } from '../../parts/words/text.ts'
import { timeOf } from '../../parts/words/times.ts'
import type { CheckContext } from './context.ts'
import type { Fact } from './fact.ts'

const NAME = 'Alerted'

/** Of the newest change that sends alerts. */
export function toldFact({ told, view }: CheckPage, context: CheckContext): Fact {
  if (told === null) return { name: NAME, value: 'no one', more: noAlertWords(view) }
  if (told.length === 0) return { name: NAME, value: 'no one', more: 'no integration' }
  const sent = told.filter(({ delivery }) => delivery.state === 'sent')
  const items = told.map((entry, index) => html`${index > 0 && '; '}${channelWords(entry, context)}`)
  return { name: NAME, value: `${sent.length} of ${told.length}`, more: items }
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
