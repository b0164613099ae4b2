/** The domain's rules, bound to this server's clock and randomness, as the store applies them inside its transactions. */
import type { Channel } from '../domain/channel.ts'
import { newCheck } from '../domain/check.ts'
import type { Delivery } from '../domain/delivery.ts'
import type { Flip } from '../domain/flip.ts'
import { receive } from '../domain/ping.ts'
import { alertAfter } from '../domain/status.ts'
import type { Rules } from '../store/store.ts'
import { channelWants } from '../transports/transport.ts'
import type { Deps } from './deps.ts'

type Needs = Pick<Deps, 'now' | 'random' | 'transports'>

export function rules({ now, random, transports }: Needs): Rules {
  const owe = (flip: Flip, channels: readonly Channel[]): Delivery[] =>
    channels
      .filter((channel) => channelWants(transports, channel, flip))
      .map((channel) => ({
        id: random.uuid(),
        checkId: flip.checkId,
        flipN: flip.n,
        channelId: channel.id,
        state: 'pending',
        attempts: 0,
        createdAt: now(),
      }))
  return {
    receive,
    alertAfter,
    provision: (projectId, slug, createdAt) => ({
      ...newCheck({ id: random.uuid(), projectId, badgeKey: random.uuid(), createdAt }),
      name: slug,
      slug,
    }),
    owe,
  }
}
