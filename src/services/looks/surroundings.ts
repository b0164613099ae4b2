/** Project data that all of the project's checks share. It is read once for all examinations in a run. */
import type { AdvisedChannel } from '../../domain/advice/facts.ts'
import { type Channel, expandGroups } from '../../domain/channel/channel.ts'
import type { Project } from '../../domain/project.ts'
import type { Instant } from '../../lib/time.ts'
import type { LastPing, ProjectZones } from '../../store/store.ts'
import type { ComposeDeps } from '../channels/channel-validity.ts'
import { channelsOff } from '../channels/mute-channels.ts'
import type { Deps } from '../common/deps.ts'
import { type LastPings, pingedAbout } from './last-pings.ts'

export type SurroundingsDeps = ComposeDeps & Pick<Deps, 'store'>

export interface Surroundings {
  readonly project: Project
  readonly zones: ProjectZones
  /** Returns a check's channels, including the members of its groups. */
  channelsOf(channelIds: readonly string[]): readonly AdvisedChannel[]
  /**
   * Returns other checks that were pinged at about the same times as a check.
   * @param times the times at which the check was pinged, oldest first
   */
  pingedAbout(times: readonly number[], otherThan: string): readonly LastPing[]
}

/** @returns null if the project no longer exists */
export async function readSurroundings(
  deps: SurroundingsDeps,
  projectId: string,
  lastPings: LastPings,
): Promise<Surroundings | null> {
  const { store } = deps
  const project = await store.projects.find(projectId)
  if (project === null) return null
  const [zones, channels] = [await store.advice.findZones(projectId), await store.channels.list(projectId)]
  const advised = await advisedChannels(deps, project, channels)
  const byId = new Map(channels.map((channel) => [channel.id, channel]))
  return {
    project,
    zones,
    channelsOf(channelIds) {
      const assigned = channelIds.flatMap((id) => byId.get(id) ?? [])
      return expandGroups(assigned, channels).flatMap(({ id }) => advised.get(id) ?? [])
    },
    pingedAbout: (times, otherThan) => pingedAbout(lastPings, times, otherThan),
  }
}

/** Returns the channels by id. Groups are omitted. */
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

/**
 * Counts the failed deliveries since the last successful delivery.
 * @param newest oldest first
 */
function givenUpOf(newest: readonly string[]): number {
  return newest.slice(newest.lastIndexOf('sent') + 1).filter((look) => look === 'failed').length
}
