/** Settings for every kind, and the texts of its messages. */
import type { ChannelKind } from '../../src/domain/channel/channel-kind.ts'
import { registry } from '../../src/transports/index.ts'
import type { Alert, Transport } from '../../src/transports/transport.ts'
import { rendered } from './support.ts'

/** What the operator has set for all kinds. */
const operator = {
  APPRISE_URL: 'https://apprise.test',
  EMAIL_HOST: 'mail.test',
  MATRIX_ACCESS_TOKEN: 'x',
  MATRIX_HOMESERVER: 'https://matrix.test',
  PUSHOVER_API_TOKEN: 'x',
  SIGNAL_CLI_SOCKET: '/run/signal',
  TELEGRAM_TOKEN: 'x',
  TRELLO_APP_KEY: 'x',
  TWILIO_ACCOUNT: 'x',
  TWILIO_AUTH: 'x',
  TWILIO_FROM: '+1555000',
  TWILIO_MESSAGING_SERVICE_SID: 'x',
  WHATSAPP_DOWN_CONTENT_SID: 'x',
  WHATSAPP_UP_CONTENT_SID: 'x',
}
const hook = 'https://hooks.test/x'
const phone = { value: '+37120000000', down: true, up: true }
const push = { url: 'https://push.test', priority: 5, priority_up: 5 }

/** `group` has no transport. The users of a `webhook` and of `shell` write the whole message. */
export type WordedKind = Exclude<ChannelKind, 'group' | 'shell' | 'webhook'>

/** The type demands every kind. */
export const SETTINGS: Readonly<Record<WordedKind, unknown>> = {
  apprise: 'json://hooks.test',
  call: { value: phone.value },
  discord: hook,
  email: 'ops@example.org',
  github: { token: 'x', repo: 'a/b', labels: [] },
  googlechat: hook,
  gotify: { ...push, token: 'x' },
  matrix: '!a:b',
  mattermost: hook,
  msteamsw: hook,
  ntfy: { ...push, topic: 'x' },
  opsgenie: { key: 'x', region: 'us' },
  pagertree: hook,
  pd: 'x',
  po: 'x|0',
  pushbullet: 'x',
  rocketchat: hook,
  signal: phone,
  slack: hook,
  sms: phone,
  spike: hook,
  telegram: { id: 1 },
  trello: { token: 'x', list_id: 'x' },
  victorops: hook,
  whatsapp: phone,
  zulip: { site: 'https://zulip.test', bot_email: 'a@b', api_key: 'x', mtype: 'stream', to: 'x' },
}
export const WORDED_KINDS = Object.keys(SETTINGS) as WordedKind[]

export function transportOf(kind: ChannelKind): Transport {
  const transport = registry.get(kind)
  if (!transport) throw new Error(`no such kind: ${kind}`)
  return transport
}

/** What the transport of the kind makes of the alert, on a server where everything is set. */
export function messageOfKind(kind: WordedKind, alert: Alert): unknown {
  return rendered(transportOf(kind), SETTINGS[kind], { ...alert, operator })
}

/** Every text of the message as its receiver reads it. */
export async function textsOf(kind: WordedKind, alert: Alert): Promise<string[]> {
  const message = messageOfKind(kind, alert)
  if (!(message instanceof Request)) return stringsIn(message)
  const query = [...new URL(message.url).searchParams.values()]
  const isForm = message.headers.get('content-type')?.includes('urlencoded')
  const body = await message.text()
  return [
    ...query,
    ...(isForm ? [...new URLSearchParams(body).values()] : stringsIn(body === '' ? '' : JSON.parse(body))),
  ]
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}
