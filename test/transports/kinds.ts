/** Settings of every kind, and the texts of its messages. */
import type { ChannelKind } from '../../src/domain/channel/channel-kind.ts'
import { registry } from '../../src/transports/index.ts'
import { OPERATOR_SETTINGS } from '../../src/transports/operator.ts'
import type { Alert, Transport } from '../../src/transports/transport.ts'
import { rendered } from './support.ts'

/** Settings of the operator for all kinds. */
export const operator = Object.fromEntries(
  OPERATOR_SETTINGS.map(({ name, example }) => [name, example.replace('…', 'x')]),
)

/** Settings of every kind that has a transport: its sample. */
export const SETTINGS: Readonly<Record<string, unknown>> = Object.fromEntries(
  [...registry.values()].map(({ kind, sample }) => [kind, sample.settings]),
)
export const KINDS = [...registry.keys()]

/** Kinds whose message we write. The users of `webhook` and `shell` write the whole message themselves. */
export const WORDED_KINDS = KINDS.filter((kind) => kind !== 'shell' && kind !== 'webhook')

export function transportOf(kind: ChannelKind): Transport {
  const transport = registry.get(kind)
  if (!transport) throw new Error(`no such kind: ${kind}`)
  return transport
}

/** Renders the alert with the transport of the kind, on a server where everything is set. */
export function messageOfKind(kind: ChannelKind, alert: Alert): unknown {
  return rendered(transportOf(kind), SETTINGS[kind], { ...alert, operator })
}

/** Returns every text of the message as its receiver reads it. */
export async function textsOf(kind: ChannelKind, alert: Alert): Promise<string[]> {
  return stringsOf(messageOfKind(kind, alert))
}

/** Returns every text of a message as its receiver reads it. */
export async function stringsOf(message: unknown): Promise<string[]> {
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
