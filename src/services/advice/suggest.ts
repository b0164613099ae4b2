/** Proposes the doctor's changes to a timing that is tried on the log of a check. Nothing is written. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import { type Suggestion, suggestTiming } from '../../domain/advice/suggestion.ts'
import type { Check } from '../../domain/check/check.ts'
import type { ReplayTiming } from '../../domain/preview/replay.ts'
import type { Deps } from '../common/deps.ts'
import { readFacts } from '../looks/facts.ts'
import type { Surroundings } from '../looks/surroundings.ts'

type Needs = Pick<Deps, 'store' | 'now' | 'eventLoop'>

/** @param zones known zones, besides those of the project's checks and UTC, such as the reader's */
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
  // Neither integrations nor other checks are evidence about a timing.
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
