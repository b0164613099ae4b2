/**
 * Reads a project's channels for the channel list: whether each channel works, which checks use it, and the results of its latest alerts.
 */

import { type Actor, may, requireRight } from '../../domain/actor.ts'
import { stateForReader } from '../../domain/alert/reader-words.ts'
import { type Channel, expandGroups, groupMembers } from '../../domain/channel/channel.ts'
import {
  type ChannelActivity,
  type ChannelState,
  channelState,
  groupState,
  type Obstacle,
} from '../../domain/channel/channel-state.ts'
import { UNCONFIRMED } from '../../domain/mail/mail-channel.ts'
import { inBatches } from '../../lib/work/batches.ts'
import type { Deps } from '../common/deps.ts'
import { type ComposeDeps, findObstacle } from './channel-validity.ts'
import { listChannels } from './channels.ts'

/** A channel, and whether the channel works. */
export interface JudgedChannel {
  readonly channel: Channel
  readonly state: ChannelState
}

export interface ListedChannel extends JudgedChannel {
  readonly activity: ChannelActivity
  /** members of a group, in order of creation; empty for other kinds */
  readonly members: readonly JudgedChannel[]
  /** groups that the channel is a member of */
  readonly groups: readonly Channel[]
}

export interface ChannelList {
  /** channels in order of creation, starting at the requested index */
  readonly channels: readonly ListedChannel[]
  /** number of channels in the project */
  readonly total: number
  /** number of checks in the project */
  readonly checks: number
}

type ChannelListDeps = ComposeDeps & Pick<Deps, 'store' | 'budget'>

/** Maximum number of channels on one page. */
export const CHANNELS_AT_ONCE = 100
/** Number of channels whose activity is read per step. A step takes a few milliseconds. */
const READ_AT_ONCE = 10
/**
 * Maximum number of channels whose activity is read. Other channels, such as members of large groups, are judged only by their stored
 * state.
 */
const READ_AT_MOST = 300

/** @param from number of channels to skip */
export async function readChannelList(deps: ChannelListDeps, actor: Actor, from: number): Promise<ChannelList> {
  const [all, checks] = await Promise.all([
    listChannels(deps, actor),
    deps.store.channels.countChecks(actor.project.id),
  ])
  const channels = await readListed(deps, actor, all.slice(from, from + CHANNELS_AT_ONCE), all)
  return { channels, total: all.length, checks }
}

/** Like {@link readChannelList}, for a single channel. @throws Refusal `forbidden` if the channel belongs to another project */
export async function readListedChannel(deps: ChannelListDeps, actor: Actor, channel: Channel): Promise<ListedChannel> {
  requireRight(actor, 'read', channel)
  const all = await listChannels(deps, actor)
  const [listed] = await readListed(deps, actor, [channel], all)
  if (listed) return listed
  throw new Error(`channel ${channel.id} was not listed`)
}

/** @param all channels of the project */
async function readListed(
  deps: ChannelListDeps,
  actor: Actor,
  wanted: readonly Channel[],
  all: readonly Channel[],
): Promise<readonly ListedChannel[]> {
  const found = new Map(
    wanted.map((channel) => [channel.id, channel.kind === 'group' ? expandGroups([channel], all) : []]),
  )
  const judged = await judge(deps, actor, [...wanted, ...[...found.values()].flat()])
  return wanted.flatMap((channel): ListedChannel[] => {
    const known = judged.get(channel.id)
    if (!known) return []
    const members = (found.get(channel.id) ?? []).flatMap(({ id }) => judged.get(id) ?? [])
    const groups = all.filter((other) => other.kind === 'group' && groupMembers(other).includes(channel.id))
    const isGroup = channel.kind === 'group' && known.state.kind === 'ready'
    return [{ ...known, state: isGroup ? ofMembers(members) : known.state, members, groups }]
  })
}

const NO_MEMBERS: Obstacle = { reason: 'the group has no members', setting: null }

function ofMembers(members: readonly JudgedChannel[]): ChannelState {
  return members.length === 0 ? { kind: 'unusable', ...NO_MEMBERS } : groupState(members.map(({ state }) => state))
}

type Judged = JudgedChannel & Pick<ListedChannel, 'activity'>

/** Determines whether each channel works. A group is judged without its members. @param channels may contain duplicates */
async function judge(
  deps: ChannelListDeps,
  actor: Actor,
  channels: readonly Channel[],
): Promise<ReadonlyMap<string, Judged>> {
  const byId = new Map(channels.map((channel) => [channel.id, channel]))
  const activities = new Map<string, ChannelActivity>()
  for (const batch of inBatches([...byId.keys()].slice(0, READ_AT_MOST), READ_AT_ONCE)) {
    await deps.budget.available()
    for (const activity of await deps.store.channels.listActivities(batch)) activities.set(activity.channelId, activity)
  }
  const judged = new Map<string, Judged>()
  for (const channel of byId.values()) {
    await deps.budget.available()
    const activity = activities.get(channel.id) ?? nothingOf(channel)
    judged.set(channel.id, { channel, activity, state: stateOf(deps, actor, channel, activity) })
  }
  return judged
}

function nothingOf({ id }: Channel): ChannelActivity {
  return { channelId: id, checks: 0, newest: [], lastAt: null, waiting: 0, nextTryAt: null }
}

function stateOf(deps: ComposeDeps, actor: Actor, channel: Channel, activity: ChannelActivity): ChannelState {
  const state = channelState(channel, activity, findObstacle(deps, actor, channel), UNCONFIRMED)
  return may(actor, 'write') ? state : stateForReader(state)
}
