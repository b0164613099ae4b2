/**
 * Detects a repeated silence that holds at each run of a check, or at each deadline: nobody is alerted to a problem before a window ends.
 */
import { addSeconds, type Instant, isBefore, later } from '../../lib/time.ts'
import type { WatchedCheck } from '../check/check.ts'
import { firstSlotAfter, type Timing } from '../check/slots.ts'
import { nextOccurrence, type SilenceTimes } from './silence.ts'

/** `runs`: each run is expected within a window; `deadlines`: only the end of each grace time is within a window. */
export type Hidden = 'runs' | 'deadlines'

export type ExpectedRuns = Timing & Pick<WatchedCheck, 'graceSeconds'>

/** Number of windows that are examined. */
const LOOKED_AT = 10
/** Minimum number of windows, if no more follow: a single window is announced and passes. */
const LEAST = 2

/**
 * Returns whether the windows of a silence hide all runs of a check, or all its deadlines; null if they hide neither, for a silence that is
 * not repeated, and for a check that was never pinged and has no schedule.
 * @param lastPingAt the last success or failure, from which a period is counted
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

/** @param seconds from each slot to the moment that has to be within a window */
function areWithin(times: SilenceTimes, timing: Timing, anchor: Instant, now: Instant, seconds: number): boolean {
  let from = later(now, times.startsAt)
  for (let windows = 0; windows < LOOKED_AT; windows++) {
    const slot = firstSlotAfter(timing, anchor, addSeconds(from, -seconds - 1))
    const moment = slot && addSeconds(slot, seconds)
    const occurrence = moment && nextOccurrence(times, moment)
    // The windows or the runs have ended, so nothing is left to hide.
    if (!occurrence) return windows >= LEAST
    if (isBefore(moment, occurrence.startsAt)) return false
    from = occurrence.endsAt
  }
  return true
}
