/** Suggests changes to a timing, based on a check's log. Does not change anything. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import { type Suggestion, suggestTiming } from '../../domain/advice/suggestion.ts'
import type { Check } from '../../domain/check/check.ts'
import type { ReplayTiming } from '../../domain/preview/replay.ts'
import type { Deps } from '../common/deps.ts'
import { readFacts } from '../looks/facts.ts'
import type { Surroundings } from '../looks/surroundings.ts'

type Needs = Pick<Deps, 'store' | 'now' | 'eventLoop'>

/** @param zones zones to consider in addition to UTC and those of the project's checks, such as the reader's zone */
export async function suggest(
  { store, now, eventLoop }: Needs,
  actor: Actor,
  check: Check,
  tried: ReplayTiming,
  zones: readonly string[],
): Promise<Suggestion | null> {
  requireRight(actor, 'read', check)
  const at = now()
  const [stored, known] = [await store.advice.find(check.id), await store.advice.findZones(check.projectId)]
  // Integrations and other checks are not relevant to the timing.
  const around: Surroundings = {
    project: actor.project,
    zones: known,
    channelsOf: () => [],
    pingedAbout: () => [],
  }
  const changedAt = stored?.changedAt ?? check.createdAt.epochMilliseconds
  const { facts } = await readFacts(
    { store },
    { check, channelIds: [] },
    around,
    { lookedN: check.nPings, changedAt },
    at,
  )
  const siblingZones = [...facts.siblingZones, check.tz, ...zones]
  return eventLoop.step(async () => suggestTiming({ ...facts, siblingZones }, tried, at.epochMilliseconds))
}
