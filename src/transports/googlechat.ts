/** `googlechat`: a card through Google Chat's incoming webhooks. */

import { type DigestCheck, digestIntro, digestMark, digestOf, digestText } from '../domain/alert/digest.ts'
import { escapeMarkup, escapeWithin, oneLine, printable } from '../lib/text/text.ts'
import { factsOf } from './parts/facts.ts'
import { htmlLink } from './parts/message-text.ts'
import { outputsOf } from './parts/outputs.ts'
import { TAKE_OR_MUTE } from './parts/plain-words.ts'
import { webhookKind } from './parts/webhook-kinds.ts'
import type { Alert, Alerts } from './transport.ts'

export const googlechat = webhookKind({
  kind: 'googlechat',
  name: 'Google Chat',
  mark: 'GC',
  about: 'webhook of a space',
  urlIs: "The URL that Google Chat shows in a space's settings under Apps & integrations, Webhooks.",
  payload,
  digest,
})

/** Maximum length of each text, in UTF-16 units. It keeps the card below the 32 kB limit of a message. */
const TEXT_LIMIT = 3000

const escaped = (text: string) => escapeWithin(text, TEXT_LIMIT, escapeMarkup)

function payload({ message, siteName }: Alert): object {
  const circle = message.isDown ? '🔴' : '🟢'
  const headline = `${circle} <b>${escaped(oneLine(message.name))}</b> is <b>${message.status}</b>.`
  const section = {
    collapsible: true,
    uncollapsibleWidgetsCount: 1,
    widgets: [
      { textParagraph: { text: `${headline}\n${escaped(message.sentence)}` } },
      ...line('Description', message.description),
      ...factsOf(message).flatMap(({ label, value }) => line(label, value)),
      ...outputsOf(message).flatMap(({ label, value }) => line(label, value)),
      ...(message.incidentLink === null ? [] : [button(TAKE_OR_MUTE, message.incidentLink)]),
      ...(message.link === null ? [] : [button(`View in ${siteName}`, message.link)]),
    ],
  }
  return { cardsV2: [{ card: { sections: [section] } }] }
}

const DIGEST_LIMIT = 12_000

function digest(alerts: Alerts): object {
  const digested = digestOf(alerts)
  const write = (check: DigestCheck) => {
    const { status, story, link } = check
    const name = escaped(check.name)
    const linked = link === null ? `<b>${name}</b>` : htmlLink(name, link)
    return [`${digestMark(check)} ${linked} is <b>${status}</b>.`, ...story.map(escaped)]
  }
  const text = digestText(digested, { intro: digestIntro(digested), limit: DIGEST_LIMIT, write, writeLink: htmlLink })
  return { cardsV2: [{ card: { sections: [{ widgets: [{ textParagraph: { text } }] }] } }] }
}

function button(text: string, url: string) {
  return { buttonList: { buttons: [{ text, onClick: { openLink: { url } } }] } }
}

/** Returns no element for an empty text, because a card must not contain an empty element. */
function line(label: string, value: string) {
  const text = escaped(printable(value).trim())
  return text === '' ? [] : [{ decoratedText: { topLabel: label, text, wrapText: true } }]
}
