/** Through which channels of a project nobody hears of a check that goes down. */
import type { Actor } from '../../domain/actor.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import { type MuteChannels, muteChannels } from '../../domain/channel/mute.ts'
import type { Instant } from '../../lib/time.ts'
import { channelWants } from '../../transports/transport.ts'
import type { Deps } from '../common/deps.ts'
import { type ComposeDeps, findObstacle } from './channel-validity.ts'

export type MuteDeps = ComposeDeps & Pick<Deps, 'store'>

/** Read once for all checks of the project. */
export async function readMuteChannels(
  deps: MuteDeps,
  { project }: Pick<Actor, 'project'>,
  now: Instant,
): Promise<MuteChannels> {
  const channels = await deps.store.channels.list(project.id)
  const failing = channels.filter(({ lastError }) => lastError !== null).map(({ id }) => id)
  const failingSince = failing.length === 0 ? new Map() : await deps.store.channels.listFailingSince(failing)
  return muteChannels(channels, { isOff: channelsOff(deps, project), failingSince }, now)
}

/** Whether a channel of the project can't be sent to, whatever is stored of it, or wants no alert when a check goes down. */
export function channelsOff(deps: ComposeDeps, project: Actor['project']): (channel: Channel) => boolean {
  const isKindOff = kindsOff(deps, project)
  return (channel) => !channelWants(deps.transports, channel, { newStatus: 'down' }) || isKindOff(channel)
}

/** What keeps a server from sending is the same for all channels of a kind, and finding it out composes two messages. */
function kindsOff(deps: ComposeDeps, project: Actor['project']): (channel: Channel) => boolean {
  const known = new Map<ChannelKind, boolean>()
  return (channel) => {
    const { kind } = channel
    const isOff = known.get(kind) ?? findObstacle(deps, { project }, channel)?.setting != null
    known.set(kind, isOff)
    return isOff
  }
}
