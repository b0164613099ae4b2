/** Answers "Would I have been woken?" for pages that change a check, the API and the command line. Nothing is written. */
import type { Actor } from '../../domain/actor.ts'
import { type TriedSettings, type Woken, type WokenFacts, woken } from '../../domain/advice/woken.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Deps } from '../common/deps.ts'
import { readPast } from './past.ts'

/** Returns the alerts of a check over its log, with its present settings. */
export async function presentAlerts(
  deps: Pick<Deps, 'store' | 'now' | 'eventLoop'>,
  actor: Actor,
  check: Check,
): Promise<Woken> {
  const { facts } = await readPast(deps, actor, check)
  return tryChange(deps, facts, { timing: check })
}

/** @param facts the log of the check, with its present settings @param tried valid settings */
export function tryChange(
  { now, eventLoop }: Pick<Deps, 'now' | 'eventLoop'>,
  facts: WokenFacts,
  tried: TriedSettings,
): Promise<Woken> {
  return eventLoop.step(async () => woken(facts, tried, now().epochMilliseconds))
}
