/** Converts between instants and local times during a plot's period, and lists the clock changes. */
import { fromMilliseconds, type Temporal } from '../../lib/time.ts'
import { HOUR } from '../units.ts'

export interface ZoneClock {
  /** returns the local time at an instant, encoded as milliseconds since 1970 as if the zone were UTC */
  readonly reading: (at: number) => number
  /** returns the instant of a local time; if the local time occurs twice, one of the two instants */
  readonly at: (reading: number) => number
  /** clock changes, oldest first */
  readonly changes: readonly ClockShift[]
}

/** @property hours number of hours by which clocks go forward; negative if they go back */
interface ClockShift {
  readonly at: number
  readonly hours: number
}

/**
 * Returns the clock of a time zone. Looks up each of its clock changes only once.
 * @throws RangeError if the zone is unknown
 */
export function zoneClock(tz: string, from: number, until: number): ZoneClock {
  let zoned: Temporal.ZonedDateTime | null = fromMilliseconds(from).toZonedDateTimeISO(tz)
  const offsets = [{ since: Number.NEGATIVE_INFINITY, offset: zoned.offsetNanoseconds / 1e6 }]
  for (zoned = zoned.getTimeZoneTransition('next'); zoned !== null; zoned = zoned.getTimeZoneTransition('next')) {
    if (zoned.epochMilliseconds > until) break
    offsets.push({ since: zoned.epochMilliseconds, offset: zoned.offsetNanoseconds / 1e6 })
  }
  const offsetAt = (at: number) => offsets.findLast(({ since }) => since <= at)?.offset ?? 0
  const changes = offsets.slice(1).flatMap(({ since, offset }) => {
    const hours = (offset - offsetAt(since - 1)) / HOUR
    return hours === 0 ? [] : [{ at: since, hours }]
  })
  return {
    reading: (at) => at + offsetAt(at),
    // The offset is looked up twice, because clocks may change between the first estimate and the result.
    at: (reading) => reading - offsetAt(reading - offsetAt(reading)),
    changes,
  }
}
