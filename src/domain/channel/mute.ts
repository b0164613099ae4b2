/** Finds channels that would alert nobody if a check went down, and the reasons. */
import { addSeconds, type Instant, isBefore, later } from '../../lib/time.ts'
import { type Channel, expandGroups } from './channel.ts'

/**
 * The reason why a channel is mute. `off`: it is disabled, this server can't send to it, or it gets no alert when a check goes down.
 * `various`: several channels are mute for different reasons.
 */
export interface Mute {
  readonly why: 'off' | 'unconfirmed' | 'failing' | 'various'
  /** time since which all of the channel's alerts have failed; null if the channel is mute for a different reason */
  readonly since: Instant | null
}

/** Mute channels by id. All other channels can send alerts. */
export type MuteChannels = ReadonlyMap<string, Mute>

/** How long an alert is retried, in seconds. */
const FAILING_SECONDS = 86_400

/** Facts about a project's channels. */
export interface Findings {
  /** whether this server can't send to the channel at all, or the channel is not alerted when a check goes down */
  readonly isOff: (channel: Channel) => boolean
  /** time of the event reported by the oldest alert that has failed since the last successful one, by channel id */
  readonly failingSince: ReadonlyMap<string, Instant>
}

/**
 * Returns the mute channels.
 * @param channels all of the project's channels; a group is mute if all its members are
 */
export function muteChannels(channels: readonly Channel[], findings: Findings, now: Instant): MuteChannels {
  const mute = new Map<string, Mute>()
  for (const channel of channels) {
    const found = channel.kind === 'group' ? null : muteOf(channel, findings, now)
    if (found !== null) mute.set(channel.id, found)
  }
  for (const group of channels.filter(({ kind }) => kind === 'group')) {
    const members = expandGroups([group], channels).map(({ id }) => id)
    const found = group.disabledReason === null ? muteOfAll(members, mute) : OFF
    if (found !== null) mute.set(group.id, found)
  }
  return mute
}

const OFF: Mute = { why: 'off', since: null }
const VARIOUS: Mute = { why: 'various', since: null }

function muteOf(channel: Channel, { isOff, failingSince }: Findings, now: Instant): Mute | null {
  if (channel.disabledReason !== null) return OFF
  if (channel.awaitsConfirmation) return { why: 'unconfirmed', since: null }
  if (isOff(channel)) return OFF
  const since = failingSince.get(channel.id)
  if (channel.lastError === null || since === undefined) return null
  return isBefore(now, addSeconds(since, FAILING_SECONDS)) ? null : { why: 'failing', since }
}

/**
 * Returns the reason why all channels are mute; null if at least one is not. If there are no channels, the reason is `off`. If all are
 * failing, `since` is when the last of them started to fail.
 */
export function muteOfAll(channelIds: readonly string[], mute: MuteChannels): Mute | null {
  let all: Mute | null = null
  for (const id of channelIds) {
    const one = mute.get(id)
    if (one === undefined) return null
    all = all === null ? one : bothOf(all, one)
  }
  return all ?? OFF
}

function bothOf(a: Mute, b: Mute): Mute {
  return a.why === b.why ? { why: a.why, since: a.since && later(a.since, b.since) } : VARIOUS
}
