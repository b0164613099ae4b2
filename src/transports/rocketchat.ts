/** `rocketchat`: Rocket.Chat's incoming webhooks. */

import type { LastPing } from '../domain/alert/flip-context.ts'
import { droppedBodyInWords } from '../domain/alert/notification.ts'
import { count } from '../domain/duration.ts'
import type { Static } from '../domain/schema.ts'
import { escapeWithin, oneLine, printable } from '../lib/text/text.ts'
import { factsOf } from './parts/facts.ts'
import { jsonRequest } from './parts/json-request.ts'
import { escapeAroundUrls, JOINER } from './parts/message-text.ts'
import { urlSample } from './parts/sample.ts'
import { WebhookUrl } from './parts/webhook-url.ts'
import { type Alert, defineTransport, judgeByStatus } from './transport.ts'

const Settings = WebhookUrl('The URL that Rocket.Chat shows for an incoming integration.')
type Settings = Static<typeof Settings>

export const rocketchat = defineTransport({
  kind: 'rocketchat',
  name: 'Rocket.Chat',
  mark: 'RC',
  about: 'incoming webhook',
  carrier: 'http',
  settings: Settings,
  offSwitch: 'ROCKETCHAT_ENABLED',
  sample: urlSample('rocketchat'),
  wants: () => true,
  render,
  judge: judgeByStatus,
})

const FIELD_LIMIT = 1000

/** A backslash works only for emphasis; mentions, links and code need a joiner. */
function escapeText(text: string): string {
  return text.replace(/[*_~]/g, '\\$&').replace(/[@#[\]`<:]/g, `$&${JOINER}`)
}

/** The same URL without a mention. */
function writeUrl(url: string): string {
  return url.replaceAll('@', '%40')
}

/** Has no image, because this server has none to link to. */
function render({ message, siteName, lastPing }: Alert, settings: Settings): Request {
  const escaped = (text: string) => escapeAroundUrls(printable(text), FIELD_LIMIT, escapeText, writeUrl)
  const field = (title: string, value: string, short = true) => ({ title, value: escaped(value), short })
  const name = escapeWithin(oneLine(message.name), FIELD_LIMIT, escapeText)
  return jsonRequest(settings, {
    alias: siteName,
    text: `${message.isDown ? '🔴' : '🟢'} ${message.link === null ? name : `[${name}](${message.link})`} is ${message.status}.\n${escaped(message.sentence)}`,
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
  })
}

/** Leaves out the body: fields can't show it unchanged. */
function bodyField(lastPing: LastPing | null, link: string | null) {
  const dropped = droppedBodyInWords(lastPing)
  if (dropped === null && !lastPing?.bodySize) return []
  const size = count(lastPing?.bodySize ?? 0, 'byte')
  const value = dropped ?? (link === null ? size : `${size}, [show body](${link})`)
  return [{ title: 'Last Ping Body', value, short: false }]
}
