/** `googlechat`: Google Chat's incoming webhooks, with a card (behaviour of the peer, 5.5). */
import type { Static } from '../domain/schema.ts'
import { escapeMarkup, escapeWithin, oneLine, printable } from '../domain/text.ts'
import { factsOf, reasonOrDowntime } from './facts.ts'
import { jsonRequest } from './json-request.ts'
import { type Alert, defineTransport, judgeByStatus } from './transport.ts'
import { WebhookUrl } from './webhook-url.ts'

const Settings = WebhookUrl('The address that Google Chat shows under Apps & integrations, Webhooks of a space.')
type Settings = Static<typeof Settings>

export const googlechat = defineTransport({
  kind: 'googlechat',
  carrier: 'http',
  settings: Settings,
  wants: () => true,
  render,
  judge: judgeByStatus,
})

/** Of one text, so that the card stays below the 32 kB that a message may have. */
const TEXT_LIMIT = 3000

const escaped = (text: string) => escapeWithin(text, TEXT_LIMIT, escapeMarkup)

function render({ message, siteName }: Alert, settings: Settings): Request {
  const circle = message.isDown ? '🔴' : '🟢'
  const why = reasonOrDowntime(message)
  const headline = `${circle} <b>${escaped(oneLine(message.name))}</b> is <b>${message.status}</b>.`
  const section = {
    collapsible: true,
    uncollapsibleWidgetsCount: 1,
    widgets: [
      { textParagraph: { text: why ? `${headline}\n${why.label}: ${escaped(why.value)}.` : headline } },
      ...line('Description', message.description),
      ...factsOf(message).flatMap(({ label, value }) => line(label, value)),
      ...line('Last Ping Body', message.body ?? ''),
      ...(message.link === null ? [] : [button(`View in ${siteName}`, message.link)]),
    ],
  }
  return jsonRequest(settings, { cardsV2: [{ card: { sections: [section] } }] })
}

function button(text: string, url: string) {
  return { buttonList: { buttons: [{ text, onClick: { openLink: { url } } }] } }
}

/** None for an empty text, which a card must not hold. */
function line(label: string, value: string) {
  const text = escaped(printable(value).trim())
  return text === '' ? [] : [{ decoratedText: { topLabel: label, text, wrapText: true } }]
}
