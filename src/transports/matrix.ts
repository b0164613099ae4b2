/** `matrix`: a message to a room on a Matrix homeserver, through the client-server API. */

import { type DigestCheck, digestIntro, digestMark, digestOf, digestText, plainCheck } from '../domain/alert/digest.ts'
import type { Notification } from '../domain/alert/notification.ts'
import { encodeStrictly } from '../domain/badge-urls.ts'
import { type Static, Text } from '../domain/schema.ts'
import { escapeHtml, oneLine, printable, within } from '../lib/text/text.ts'
import { factsOf } from './parts/facts.ts'
import { jsonRequest } from './parts/json-request.ts'
import { htmlLink } from './parts/message-text.ts'
import { outputsOf } from './parts/outputs.ts'
import { TAKE_OR_MUTE } from './parts/plain-words.ts'
import { sampleOf } from './sample.ts'
import { type Alert, type Alerts, defineTransport, judgeByStatus, operatorSetting } from './transport.ts'

const Settings = Text({
  title: 'Room ID',
  description: "Starts with `!`; shown in the room's settings under Advanced. This server's user must be in the room.",
  maxLength: 255,
  pattern: '^!\\S+$',
  means: 'the id of a room, such as !abcdef:example.org',
})
type Settings = Static<typeof Settings>

export const matrix = defineTransport({
  kind: 'matrix',
  name: 'Matrix',
  mark: 'MX',
  about: 'room',
  carrier: 'http',
  settings: Settings,
  reads: [
    { name: 'MATRIX_HOMESERVER', example: 'https://matrix.example.org', type: 'url' },
    { name: 'MATRIX_ACCESS_TOKEN', example: 'syt_…' },
  ],
  sample: sampleOf('!room:example.org', { value: '#room' }),
  wants: () => true,
  render: (alert, room) =>
    send(alert, alert.delivery.id, room, { body: plain(alert.message), html: html(alert.message) }),
  digest,
  judge: judgeByStatus,
})

/** Maximum length of each text, in UTF-16 units. An event must stay below 64 kB. */
const TEXT_LIMIT = 2000

interface Words {
  readonly body: string
  readonly html: string
}

function send(alert: Alert, id: string, room: Settings, words: Words): Request {
  const homeserver = operatorSetting(alert, 'MATRIX_HOMESERVER').replace(/\/+$/, '')
  const token = operatorSetting(alert, 'MATRIX_ACCESS_TOKEN')
  // All attempts use the same id, so that a message whose answer was lost doesn't appear twice.
  const transaction = encodeStrictly(id)
  const path = `/_matrix/client/v3/rooms/${encodeStrictly(room)}/send/m.room.message/${transaction}`
  const content = {
    msgtype: 'm.text',
    body: words.body,
    format: 'org.matrix.custom.html',
    formatted_body: words.html,
    // Says that the message mentions nobody. Without this field, clients would look for `@room` and names in the body.
    'm.mentions': {},
  }
  return jsonRequest(`${homeserver}${path}`, content, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
  })
}

const DIGEST_LIMIT = 16_000

function digest(alerts: Alerts, room: Settings): Request {
  const digested = digestOf(alerts)
  const layout = { intro: digestIntro(digested), limit: DIGEST_LIMIT }
  return send(alerts[0], digested.id, room, {
    body: digestText(digested, { ...layout, write: plainCheck }),
    html: digestText(digested, { ...layout, write: htmlCheck, writeLink: htmlLink }).replaceAll('\n', '<br>'),
  })
}

function htmlCheck(check: DigestCheck): readonly string[] {
  const { status, story, link } = check
  const name = escapeHtml(check.name)
  const linked = link === null ? name : htmlLink(name, link)
  return [`${digestMark(check)} ${linked} is <b>${status}</b>.`, ...story.map(escapeHtml)]
}

const circle = ({ isDown }: Notification) => (isDown ? '🔴' : '🟢')

function lines(message: Notification) {
  const description = message.description ? [{ label: 'Description', value: message.description }] : []
  return [...description, ...factsOf(message)].map(({ label, value }) => {
    return { label, value: within(printable(value), TEXT_LIMIT) }
  })
}

function plain(message: Notification): string {
  return [
    `${circle(message)} ${within(oneLine(message.name), TEXT_LIMIT)} is ${message.status}.`,
    message.sentence,
    ...lines(message).map(({ label, value }) => `${label}: ${value}`),
    ...outputsOf(message).flatMap(({ label, value }) => [`${label}:`, value]),
    ...(message.incidentLink === null ? [] : [`${TAKE_OR_MUTE}: ${message.incidentLink}`]),
    ...(message.link === null ? [] : [message.link]),
  ].join('\n')
}

function html(message: Notification): string {
  const name = escapeHtml(within(oneLine(message.name), TEXT_LIMIT))
  const linked = message.link === null ? name : htmlLink(name, message.link)
  const take = message.incidentLink === null ? '' : ` ${htmlLink(TAKE_OR_MUTE, message.incidentLink)}`
  const headline = `${circle(message)} ${linked} is <b>${message.status}</b>.${take}`
  const facts = lines(message).map(({ label, value }) => {
    return `<b>${label}:</b> ${escapeHtml(value).replaceAll('\n', '<br>')}`
  })
  const outputs = outputsOf(message).map(({ label, value }, index) => {
    return `${index === 0 ? '<br>' : ''}<b>${label}:</b><pre><code>${escapeHtml(value)}</code></pre>`
  })
  return [headline, escapeHtml(message.sentence), ...facts].join('<br>') + outputs.join('')
}
