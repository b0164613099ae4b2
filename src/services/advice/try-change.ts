/** "Would I have been woken?" One answer for the pages that change a check, the API and the command line. Nothing is written. */
import { type TriedSettings, type Woken, type WokenFacts, woken } from '../../domain/advice/woken.ts'
import type { Deps } from '../common/deps.ts'

/** @param facts the past of the check, with its present settings @param tried valid settings */
export function tryChange(
  { now, eventLoop }: Pick<Deps, 'now' | 'eventLoop'>,
  facts: WokenFacts,
  tried: TriedSettings,
): Promise<Woken> {
  return eventLoop.step(async () => woken(facts, tried, now().epochMilliseconds))
}
