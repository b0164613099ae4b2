/** The rhythm that a check's pings show. */
import type { Instant } from '../../lib/time.ts'
import type { ReplayEvent, ReplayTiming } from './replay.ts'

export interface Suggestion {
  readonly timing: ReplayTiming
  /** `Every 30 minutes`, `Weekdays at 02:00`; without the zone */
  readonly words: string
  /** how many of the last runs come when this timing expects them */
  readonly fits: number
  readonly of: number
}

export function suggestTiming(
  _current: ReplayTiming,
  _events: readonly ReplayEvent[],
  _zones: readonly string[],
  _now: Instant,
): Suggestion | null {
  return null
}
