/**
 * Detects repeating silences that cover all of a check's runs, or all of its deadlines. With such a silence, no one is alerted to a problem
 * until the silence ends.
 */
import { addSeconds, type Instant, isBefore, later } from '../../lib/time.ts'
import type { WatchedCheck } from '../check/check.ts'
import { firstSlotAfter, type Timing } from '../check/slots.ts'
import { nextOccurrence, type SilenceTimes } from './silence.ts'

/** `runs`: each run is expected during a window. `deadlines`: each grace time ends during a window. */
export type Hidden = 'runs' | 'deadlines'

export type ExpectedRuns = Timing & Pick<WatchedCheck, 'graceSeconds'>

/** Maximum number of windows to examine. */
const LOOKED_AT = 10
/** Minimum number of windows, if there are no further ones. A single window is not reported, because users planned it themselves. */
const LEAST = 2

/**
 * Returns what a silence's windows hide: all of a check's runs, or all of its deadlines. Returns null if they hide neither, if the silence
 * does not repeat, or if the check has no schedule and was never pinged.
 * @param lastPingAt the last success or failure, at which the check's period starts
 */
export function hiddenRuns(
  times: SilenceTimes,
  timing: ExpectedRuns,
  lastPingAt: Instant | null,
  now: Instant,
): Hidden | null {
  if (times.window === null || (timing.kind === 'simple' && lastPingAt === null)) return null
  const isHidden = (seconds: number) => areWithin(times, timing, lastPingAt ?? now, now, seconds)
  if (isHidden(0)) return 'runs'
  return isHidden(timing.graceSeconds) ? 'deadlines' : null
}

/** @param seconds time from each slot to the instant that must be inside a window */
function areWithin(times: SilenceTimes, timing: Timing, anchor: Instant, now: Instant, seconds: number): boolean {
  let from = later(now, times.startsAt)
  for (let windows = 0; windows < LOOKED_AT; windows++) {
    const slot = firstSlotAfter(timing, anchor, addSeconds(from, -seconds - 1))
    const moment = slot && addSeconds(slot, seconds)
    const occurrence = moment && nextOccurrence(times, moment)
    // There are no further windows or runs, so nothing will be hidden from now on.
    if (!occurrence) return windows >= LEAST
    if (isBefore(moment, occurrence.startsAt)) return false
    from = occurrence.endsAt
  }
  return true
}
