/** Settings of every kind, and the texts of its messages. */
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
/** Settings of every kind that has a transport: its sample. */
export const SETTINGS: Readonly<Record<string, unknown>> = Object.fromEntries(
  [...registry.values()].map(({ kind, sample }) => [kind, sample.settings]),
)
export const KINDS = [...registry.keys()]

/** The users of a `webhook` and of `shell` write the whole message. */
export const WORDED_KINDS = KINDS.filter((kind) => kind !== 'shell' && kind !== 'webhook')

export function transportOf(kind: ChannelKind): Transport {
  const transport = registry.get(kind)
  if (!transport) throw new Error(`no such kind: ${kind}`)
  return transport
}

/** What the transport of the kind makes of the alert, on a server where everything is set. */
export function messageOfKind(kind: ChannelKind, alert: Alert): unknown {
  return rendered(transportOf(kind), SETTINGS[kind], { ...alert, operator })
}

/** Every text of the message as its receiver reads it. */
export async function textsOf(kind: ChannelKind, alert: Alert): Promise<string[]> {
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
