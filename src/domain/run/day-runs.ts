/** The runs of a check on one day. */
import { earlier, type Instant, later } from '../../lib/time.ts'
import { packedMinutes, unpackedMinutes } from './day-minutes.ts'

export interface DayRuns {
  /** as `2026-05-12`, in the zone of the check */
  readonly day: string
  readonly runs: number
  /** number of runs that failed */
  readonly failed: number
  /** number of runs expected on that day that did not happen */
  readonly missed: number
  /** when the first run began; null without a run */
  readonly firstAt: Instant | null
  readonly lastAt: Instant | null
  /** microseconds; null if unknown */
  readonly longest: number | null
  /** minutes in which runs began, packed: see `day-minutes.ts` */
  readonly minutes: Uint8Array
}

/** Number of days that are kept. */
export const DAYS_KEPT = 90

/** @param counted the stored counts @param more counts of the same day since then */
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
