/** The strip of an integration's newest alerts, which shows whether each one was delivered. */
import type { DeliveryLook } from '../../../../domain/channel/channel-state.ts'
import type { ListedChannel } from '../../../../services/channels/channel-list.ts'
import { type Html, html } from '../../html.ts'
import { labelledStrip } from '../../parts/strip.ts'
import { counted } from '../../parts/words/text.ts'

const LETTERS: Readonly<Record<DeliveryLook, string>> = { sent: 'h', failed: '1', retrying: 'H', 'under way': '2' }
const WORDS: Readonly<Record<DeliveryLook, string>> = {
  sent: 'sent',
  retrying: 'retrying',
  failed: 'failed',
  'under way': 'under way',
}

/** Renders an integration's newest alerts, oldest first. */
export function deliveryStrip({ channel, activity: { newest } }: ListedChannel): Html {
  if (newest.length === 0) {
    return html`<span class="muted">${channel.kind === 'group' ? 'sent to its members' : 'none yet'}</span>`
  }
  const numbers = Object.entries(WORDS).flatMap(([look, word]) => {
    const number = newest.filter((one) => one === look).length
    return number > 0 ? [`${number} ${word}`] : []
  })
  const label = `Last ${counted(newest.length, 'alert', 'alerts')}: ${numbers.join(', ')}`
  return labelledStrip(newest.map((look) => LETTERS[look]).join(''), label)
}
