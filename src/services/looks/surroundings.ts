/** What the checks of a project have around them: read once for all looks of a run. */
import type { AdvisedChannel } from '../../domain/advice/facts.ts'
import { type Channel, expandGroups } from '../../domain/channel/channel.ts'
import type { Project } from '../../domain/project.ts'
import type { Instant } from '../../lib/time.ts'
import type { LastPing, ProjectZones } from '../../store/store.ts'
import type { ComposeDeps } from '../channels/channel-validity.ts'
import { channelsOff } from '../channels/mute-channels.ts'
import type { Deps } from '../common/deps.ts'
import { readPages } from '../common/pages.ts'

export type SurroundingsDeps = ComposeDeps & Pick<Deps, 'store'>

export interface Surroundings {
  readonly project: Project
  readonly zones: ProjectZones
  /** The channels of a check, those of its groups among them. */
  channelsOf(channelIds: readonly string[]): readonly AdvisedChannel[]
  /** The other checks that were pinged about then, the nearest first. */
  pingedAbout(at: Instant, otherThan: string): Promise<readonly LastPing[]>
}

/** @returns null if there is no such project any more */
export async function readSurroundings(deps: SurroundingsDeps, projectId: string): Promise<Surroundings | null> {
  const { store } = deps
  const project = await store.projects.find(projectId)
  if (project === null) return null
  const [zones, channels] = [await store.advice.findZones(projectId), await store.channels.list(projectId)]
  const advised = await advisedChannels(deps, project, channels)
  const byId = new Map(channels.map((channel) => [channel.id, channel]))
  let pings: Promise<readonly LastPing[]> | null = null
  return {
    project,
    zones,
    channelsOf(channelIds) {
      const assigned = channelIds.flatMap((id) => byId.get(id) ?? [])
      return expandGroups(assigned, channels).flatMap(({ id }) => advised.get(id) ?? [])
    },
    async pingedAbout(at, otherThan) {
      pings ??= readLastPings(store, projectId)
      return nearest(await pings, at.epochMilliseconds).filter(({ checkId }) => checkId !== otherThan)
    },
  }
}

/** By id, without groups. */
async function advisedChannels(
  deps: SurroundingsDeps,
  project: Project,
  channels: readonly Channel[],
): Promise<ReadonlyMap<string, AdvisedChannel>> {
  const isOff = channelsOff(deps, project)
  const single = channels.filter(({ kind }) => kind !== 'group')
  const failing = single.filter(({ lastError }) => lastError !== null).map(({ id }) => id)
  const since = failing.length === 0 ? new Map<string, Instant>() : await deps.store.channels.listFailingSince(failing)
  const activities = failing.length === 0 ? [] : await deps.store.channels.listActivities(failing)
  const givenUp = new Map(activities.map(({ channelId, newest }) => [channelId, givenUpOf(newest)]))
  return new Map(
    single.map((channel) => {
      const { id, name } = channel
      const failsSince = since.get(id)?.epochMilliseconds ?? null
      const state = stateOf(channel, isOff, failsSince)
      return [id, { name, state, since: state === 'failing' ? failsSince : null, givenUp: givenUp.get(id) ?? 0 }]
    }),
  )
}

function stateOf(channel: Channel, isOff: (channel: Channel) => boolean, failsSince: number | null) {
  if (channel.disabledReason !== null) return 'off'
  if (channel.awaitsConfirmation) return 'unconfirmed'
  if (isOff(channel)) return 'off'
  return failsSince === null ? 'ready' : 'failing'
}

/** Since the last message that was sent. @param newest oldest first */
function givenUpOf(newest: readonly string[]): number {
  return newest.slice(newest.lastIndexOf('sent') + 1).filter((look) => look === 'failed').length
}

/** In the order of their times. */
async function readLastPings(store: Deps['store'], projectId: string): Promise<readonly LastPing[]> {
  const all: LastPing[] = []
  for await (const page of readPages((after) => store.advice.listLastPings(projectId, after))) all.push(...page)
  return all.sort((a, b) => a.at.epochMilliseconds - b.at.epochMilliseconds)
}

const TOGETHER_MS = 2_000
/** Many jobs begin at midnight. */
const OTHERS_READ = 3

/** @param pings in the order of their times */
function nearest(pings: readonly LastPing[], at: number): readonly LastPing[] {
  let [low, high] = [0, pings.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((pings[middle]?.at.epochMilliseconds ?? 0) < at - TOGETHER_MS) low = middle + 1
    else high = middle
  }
  const distance = (ping: LastPing) => Math.abs(ping.at.epochMilliseconds - at)
  const found: LastPing[] = []
  for (let index = low; index < pings.length; index++) {
    const ping = pings[index]
    if (!ping || ping.at.epochMilliseconds > at + TOGETHER_MS) break
    found.push(ping)
  }
  // The check itself is among them.
  return found.toSorted((a, b) => distance(a) - distance(b)).slice(0, OTHERS_READ + 1)
}
