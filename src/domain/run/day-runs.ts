/** Counts of a check's runs during one day. */
import { earlier, type Instant, later } from '../../lib/time.ts'
import { packedMinutes, unpackedMinutes } from './day-minutes.ts'

export interface DayRuns {
  /** date, such as `2026-05-12`, in the check's time zone */
  readonly day: string
  readonly runs: number
  /** number of runs that failed */
  readonly failed: number
  /** number of runs that were expected on that day but did not happen */
  readonly missed: number
  /** time at which the day's first run began; null if there was none */
  readonly firstAt: Instant | null
  readonly lastAt: Instant | null
  /** duration of the longest run, in microseconds; null if unknown */
  readonly longest: number | null
  /** minutes in which runs began, encoded as in `day-minutes.ts` */
  readonly minutes: Uint8Array
}

/** Number of days for which daily counts are kept. */
export const DAYS_KEPT = 90

/**
 * Adds up two sets of counts for the same day.
 * @param counted the stored counts
 * @param more the counts of runs that are not included in the stored ones
 */
export function addedDay(counted: DayRuns, more: DayRuns): DayRuns {
  return {
    day: counted.day,
    runs: counted.runs + more.runs,
    failed: counted.failed + more.failed,
    missed: counted.missed + more.missed,
    firstAt: earlier(counted.firstAt, more.firstAt),
    lastAt: counted.lastAt && more.lastAt ? later(counted.lastAt, more.lastAt) : (counted.lastAt ?? more.lastAt),
    longest: longer(counted.longest, more.longest),
    minutes: packedMinutes([...unpackedMinutes(counted.minutes), ...unpackedMinutes(more.minutes)]),
  }
}

function longer(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b)
}
