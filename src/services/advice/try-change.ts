/**
 * Shows how a change to a check would have changed its past alerts. Pages, the API and the command line use it. Does not change anything.
 */
import type { Actor } from '../../domain/actor.ts'
import { type TriedSettings, type Woken, type WokenFacts, woken } from '../../domain/advice/woken.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Deps } from '../common/deps.ts'
import { readPast } from './past.ts'

/** Returns the alerts that a check would have sent for the events in its log, with its current settings. */
export async function presentAlerts(
  deps: Pick<Deps, 'store' | 'now' | 'eventLoop'>,
  actor: Actor,
  check: Check,
): Promise<Woken> {
  const { facts } = await readPast(deps, actor, check)
  return tryChange(deps, facts, { timing: check })
}

/** @param facts the check's log and current settings @param tried the settings to try, which must be valid */
export function tryChange(
  { now, eventLoop }: Pick<Deps, 'now' | 'eventLoop'>,
  facts: WokenFacts,
  tried: TriedSettings,
): Promise<Woken> {
  return eventLoop.step(async () => woken(facts, tried, now().epochMilliseconds))
}
