/** The one list to which a new kind of channel is added. */
import type { Registry, Transport } from './transport.ts'
import { webhook } from './webhook.ts'

const TRANSPORTS: readonly Transport[] = [webhook]

export const registry: Registry = new Map(TRANSPORTS.map((transport) => [transport.kind, transport]))
