/** The channels of a project as a page lists them: whether each works, who uses it, and how its newest alerts went. */
import { type Actor, may, requireRight } from '../domain/actor.ts'
import { type Channel, expandGroups, groupMembers } from '../domain/alert/channel.ts'
import { type ChannelActivity, type ChannelState, channelState, type Obstacle } from '../domain/alert/channel-state.ts'
import { stateForReader } from '../domain/alert/reader-words.ts'
import type { EventLoopBudget } from '../lib/event-loop-budget.ts'
import { type ComposeDeps, findObstacle, listChannels } from './channels.ts'
import type { Deps } from './deps.ts'
import { UNCONFIRMED } from './mail/confirmation.ts'

export interface ListedChannel {
  readonly channel: Channel
  readonly state: ChannelState
  readonly activity: ChannelActivity
  /** of a group, in order of creation; empty for another channel */
  readonly members: readonly Channel[]
  /** the groups that it is a member of */
  readonly groups: readonly Channel[]
}

export interface ChannelList {
  /** in order of creation, from the wanted place on */
  readonly channels: readonly ListedChannel[]
  /** number of channels of the project */
  readonly total: number
  /** number of checks of the project */
  readonly checks: number
}

export type ChannelListDeps = ComposeDeps &
  Pick<Deps, 'store'> & {
    /** for all lists together: finding out whether a channel works composes two messages */
    readonly budget: EventLoopBudget
  }

/** So many are listed at once. */
export const CHANNELS_AT_ONCE = 100
/** Reading what they did takes a few milliseconds. */
const READ_AT_ONCE = 10

/** @param from how many channels come before */
export async function readChannelList(deps: ChannelListDeps, actor: Actor, from: number): Promise<ChannelList> {
  const [all, checks] = await Promise.all([listChannels(deps, actor), deps.store.countChecks(actor.project.id)])
  const channels: ListedChannel[] = []
  for (const batch of inBatches(all.slice(from, from + CHANNELS_AT_ONCE))) {
    await deps.budget.available()
    const activities = await deps.store.listChannelActivities(batch.map(({ id }) => id))
    for (const activity of activities) {
      const channel = batch.find(({ id }) => id === activity.channelId)
      await deps.budget.available()
      if (channel) channels.push(listed(deps, actor, channel, activity, all))
    }
  }
  return { channels, total: all.length, checks }
}

function* inBatches(channels: readonly Channel[]): Generator<readonly Channel[]> {
  for (let at = 0; at < channels.length; at += READ_AT_ONCE) yield channels.slice(at, at + READ_AT_ONCE)
}

/** One channel, as {@link readChannelList} lists it. @throws Refusal `forbidden` for one of another project */
export async function readListedChannel(deps: ChannelListDeps, actor: Actor, channel: Channel): Promise<ListedChannel> {
  requireRight(actor, 'read', channel)
  const [all, [activity]] = await Promise.all([
    listChannels(deps, actor),
    deps.store.listChannelActivities([channel.id]),
  ])
  return listed(deps, actor, channel, activity ?? nothingOf(channel), all)
}

function nothingOf({ id }: Channel): ChannelActivity {
  return { channelId: id, checks: 0, newest: [], lastAt: null, waiting: 0, nextTryAt: null }
}

const NO_MEMBERS: Obstacle = { reason: 'the group has no members', setting: null }

/** @param all channels of the project */
function listed(
  deps: ComposeDeps,
  actor: Actor,
  channel: Channel,
  activity: ChannelActivity,
  all: readonly Channel[],
): ListedChannel {
  const members = channel.kind === 'group' ? expandGroups([channel], all) : []
  const isEmpty = channel.kind === 'group' && members.length === 0
  const obstacle = isEmpty ? NO_MEMBERS : findObstacle(deps, actor, channel)
  const state = channelState(channel, activity, obstacle, UNCONFIRMED)
  return {
    channel,
    state: may(actor, 'write') ? state : stateForReader(state),
    activity,
    members,
    groups: all.filter((other) => other.kind === 'group' && groupMembers(other).includes(channel.id)),
  }
}
