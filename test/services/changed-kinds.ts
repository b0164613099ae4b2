/** Dependencies in which some functions of transports are replaced. */
import type { ChannelKind } from '../../src/domain/channel/channel-kind.ts'
import type { Deps } from '../../src/services/common/deps.ts'
import type { Transport } from '../../src/transports/transport.ts'

export function withKinds(deps: Deps, changed: Partial<Transport>): Deps {
  const transports = new Map(
    [...deps.transports].map(([kind, own]): [ChannelKind, Transport] => [kind, { ...own, ...changed }]),
  )
  return { ...deps, transports }
}
