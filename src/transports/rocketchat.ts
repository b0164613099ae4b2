/** `rocketchat`: a message through Rocket.Chat's incoming webhooks. */

import { type DigestCheck, digestIntro, digestMark, digestOf, digestText } from '../domain/alert/digest.ts'
import type { LastPing } from '../domain/alert/flip-context.ts'
import { droppedBodyInWords } from '../domain/alert/notification.ts'
import { count } from '../domain/duration.ts'
import { escapeWithin, oneLine, printable } from '../lib/text/text.ts'
import { factsOf } from './parts/facts.ts'
import { escapeAroundUrls, JOINER, markdownLink } from './parts/message-text.ts'
import { TAKE_OR_MUTE } from './parts/plain-words.ts'
import { webhookKind } from './parts/webhook-kinds.ts'
import type { Alert, Alerts } from './transport.ts'

export const rocketchat = webhookKind({
  kind: 'rocketchat',
  name: 'Rocket.Chat',
  mark: 'RC',
  about: 'incoming webhook',
  offSwitch: 'ROCKETCHAT_ENABLED',
  urlIs: 'The URL that Rocket.Chat shows for an incoming integration.',
  payload,
  digest,
})

const FIELD_LIMIT = 1000

/** Escapes text. A backslash works only for emphasis. Mentions, links and code need a joiner. */
function escapeText(text: string): string {
  return text.replace(/[*_~]/g, '\\$&').replace(/[@#[\]`<:]/g, `$&${JOINER}`)
}

/** Writes a URL so that it stays the same but mentions nobody. */
function writeUrl(url: string): string {
  return url.replaceAll('@', '%40')
}

/** Builds a payload without an image, because this server has no image to link to. */
function payload({ message, siteName, lastPing }: Alert): object {
  const escaped = (text: string) => escapeAroundUrls(printable(text), FIELD_LIMIT, escapeText, writeUrl)
  const field = (title: string, value: string, short = true) => ({ title, value: escaped(value), short })
  const name = escapeWithin(oneLine(message.name), FIELD_LIMIT, escapeText)
  const take = message.incidentLink === null ? '' : ` ${markdownLink(TAKE_OR_MUTE, message.incidentLink)}`
  return {
    alias: siteName,
    text: `${message.isDown ? '🔴' : '🟢'} ${message.link === null ? name : markdownLink(name, message.link)} is ${message.status}.${take}\n${escaped(message.sentence)}`,
    attachments: [
      {
        color: message.isDown ? '#d9534f' : '#5cb85c',
        fields: [
          ...(message.description ? [field('Description', message.description, false)] : []),
          ...factsOf(message).map(({ label, value }) => field(label, value)),
          ...bodyField(lastPing, message.link),
        ],
      },
    ],
  }
}

/** Maximum length of a digest in UTF-16 units. */
const DIGEST_LIMIT = 5000

function digest(alerts: Alerts): object {
  const digested = digestOf(alerts)
  const write = (check: DigestCheck) => {
    const { status, story, link } = check
    const name = escapeText(check.name)
    const lines = story.map((line) => escapeAroundUrls(line, FIELD_LIMIT, escapeText, writeUrl))
    return [`${digestMark(check)} ${link === null ? name : markdownLink(name, link)} is ${status}.`, ...lines]
  }
  const text = digestText(digested, {
    intro: digestIntro(digested),
    limit: DIGEST_LIMIT,
    write,
    writeLink: markdownLink,
  })
  return { alias: alerts[0].siteName, text }
}

/** Leaves out the body, because fields can't show it unchanged. */
function bodyField(lastPing: LastPing | null, link: string | null) {
  const dropped = droppedBodyInWords(lastPing)
  if (dropped === null && !lastPing?.bodySize) return []
  const size = count(lastPing?.bodySize ?? 0, 'byte')
  const value = dropped ?? (link === null ? size : `${size}, ${markdownLink('show body', link)}`)
  return [{ title: 'Last Ping Body', value, short: false }]
}
