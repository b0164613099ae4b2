/** Channels whose alerts about a check that goes down reach nobody, and the reasons. */
import { addSeconds, type Instant, isBefore, later } from '../../lib/time.ts'
import { type Channel, expandGroups } from './channel.ts'

/**
 * The reason why a channel is mute. `off` includes channels that this server cannot send to, and those that want no alert when a check goes
 * down. `various`: several channels, for different reasons.
 */
export interface Mute {
  readonly why: 'off' | 'unconfirmed' | 'failing' | 'various'
  /** time since which its alerts have failed; null for other reasons */
  readonly since: Instant | null
}

/** Mute channels by id. All other channels reach people. */
export type MuteChannels = ReadonlyMap<string, Mute>

/** Seconds for which an alert is retried. */
const FAILING_SECONDS = 86_400

/** Findings about the channels of a project. */
export interface Findings {
  /** whether this server cannot send to the channel, whatever is stored about it, or the channel wants no alert when a check goes down */
  readonly isOff: (channel: Channel) => boolean
  /** trigger time of the oldest alert that has failed since the last one was sent, by channel id */
  readonly failingSince: ReadonlyMap<string, Instant>
}

/** @param channels all channels of the project: a group is mute if all of its members are */
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

/** Returns null if one of the channels reaches people. No channels count as `off`. If all fail, `since` is that of the last to fail. */
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
