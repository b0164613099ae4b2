/** Finds a project's channels that send no alert when a check goes down. */
import type { Actor } from '../../domain/actor.ts'
import type { Channel } from '../../domain/channel/channel.ts'
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import { type MuteChannels, muteChannels } from '../../domain/channel/mute.ts'
import type { Instant } from '../../lib/time.ts'
import { channelWants } from '../../transports/transport.ts'
import type { Deps } from '../common/deps.ts'
import { type ComposeDeps, findObstacle } from './channel-validity.ts'

export type MuteDeps = ComposeDeps & Pick<Deps, 'store'>

/** Finds the channels that send no alert when a check goes down. The result is the same for all of the project's checks. */
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

/**
 * Returns a function that reports whether a channel sends no alert when a check goes down. A channel sends no alert if it cannot be used,
 * or if its settings turn these alerts off. Its stored state is ignored.
 */
export function channelsOff(deps: ComposeDeps, project: Actor['project']): (channel: Channel) => boolean {
  const isKindOff = kindsOff(deps, project)
  return (channel) => !channelWants(deps.transports, channel, { newStatus: 'down' }) || isKindOff(channel)
}

/**
 * Returns a function that reports whether the server can't send to a kind of channel. The result is cached, because it is the same for all
 * channels of the kind, and determining it means composing two messages.
 */
function kindsOff(deps: ComposeDeps, project: Actor['project']): (channel: Channel) => boolean {
  const known = new Map<ChannelKind, boolean>()
  return (channel) => {
    const { kind } = channel
    const isOff = known.get(kind) ?? findObstacle(deps, { project }, channel)?.setting != null
    known.set(kind, isOff)
    return isOff
  }
}
