/** `rocketchat`: Rocket.Chat's incoming webhooks (behaviour of the peer, 5.5). */
import { count } from '../domain/duration.ts'
import { droppedBodyInWords, type LastPing } from '../domain/notification.ts'
import type { Static } from '../domain/schema.ts'
import { escapeWithin, oneLine, printable } from '../domain/text.ts'
import { factsOf, reasonOrDowntime } from './facts.ts'
import { jsonRequest } from './json-request.ts'
import { escapeAroundUrls, JOINER } from './message-text.ts'
import { type Alert, defineTransport, judgeByStatus } from './transport.ts'
import { WebhookUrl } from './webhook-url.ts'

const Settings = WebhookUrl('The address that Rocket.Chat shows for an incoming integration.')
type Settings = Static<typeof Settings>

export const rocketchat = defineTransport({
  kind: 'rocketchat',
  carrier: 'http',
  settings: Settings,
  wants: () => true,
  render,
  judge: judgeByStatus,
})

const FIELD_LIMIT = 1000

/** A backslash works before the signs of emphasis only; mentions, links and code need a sign in between. */
function escapeText(text: string): string {
  return text.replace(/[*_~]/g, '\\$&').replace(/[@#[\]`<:]/g, `$&${JOINER}`)
}

/** Leads to the same place, and calls nobody. */
function writeUrl(url: string): string {
  return url.replaceAll('@', '%40')
}

/** Without a picture, because this server has none to link to. */
function render({ message, siteName, lastPing }: Alert, settings: Settings): Request {
  const why = reasonOrDowntime(message)
  const field = (title: string, value: string, short = true) => {
    return { title, value: escapeAroundUrls(printable(value), FIELD_LIMIT, escapeText, writeUrl), short }
  }
  const name = escapeWithin(oneLine(message.name), FIELD_LIMIT, escapeText)
  return jsonRequest(settings, {
    alias: siteName,
    text: `${message.isDown ? '🔴' : '🟢'} ${message.link === null ? name : `[${name}](${message.link})`} is ${message.status}.`,
    attachments: [
      {
        color: message.isDown ? '#d9534f' : '#5cb85c',
        fields: [
          ...(why ? [field(why.label, why.value, false)] : []),
          ...(message.description ? [field('Description', message.description, false)] : []),
          ...factsOf(message).map(({ label, value }) => field(label, value)),
          ...bodyField(lastPing, message.link),
        ],
      },
    ],
  })
}

/** What a job printed stays on this server: fields have no way to show it as it is. */
function bodyField(lastPing: LastPing | null, link: string | null) {
  const dropped = droppedBodyInWords(lastPing)
  if (dropped === null && !lastPing?.bodySize) return []
  const size = count(lastPing?.bodySize ?? 0, 'byte')
  const value = dropped ?? (link === null ? size : `${size}, [show body](${link})`)
  return [{ title: 'Last Ping Body', value, short: false }]
}
