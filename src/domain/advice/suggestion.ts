/** The timing proposed by advice, either for a check or for a trial timing that is compared with the check's log. */
import type { ReplayTiming } from '../preview/replay.ts'
import { changedTiming } from '../preview/schedule-preview.ts'
import type { Advice } from './advice.ts'
import { advise } from './advise.ts'
import type { Facts } from './facts.ts'

export interface Suggestion {
  /** advice that proposes this timing */
  readonly advice: Advice
  readonly timing: ReplayTiming
}

/**
 * Returns the first fix that changes the timing; null if there is none.
 * @param tried a timing with a valid schedule and zone. The check's own timing is compared only with the log since it was set, any other
 * timing with the entire log
 */
export function suggestTiming(facts: Facts, tried: ReplayTiming, now: number): Suggestion | null {
  const check = isSame(facts.check, tried)
    ? facts.check
    : { ...facts.check, ...tried, changedAt: facts.check.createdAt, isPaused: false, pausedAt: null }
  for (const advice of advise({ ...facts, check }, now)) {
    if (advice.fix.do !== 'set') continue
    const { methods: _, ...settings } = advice.fix.settings
    const timing = changedTiming(tried, settings)
    if (!isSame(timing, tried)) return { advice, timing }
  }
  return null
}

function isSame(a: ReplayTiming, b: ReplayTiming): boolean {
  if (a.kind !== b.kind || a.graceSeconds !== b.graceSeconds) return false
  return a.kind === 'simple' ? a.timeoutSeconds === b.timeoutSeconds : a.schedule === b.schedule && a.tz === b.tz
}
