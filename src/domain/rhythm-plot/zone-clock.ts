/** A time zone's clock during a plot's period: its readings, and when it changes. */
import { fromMilliseconds, type Temporal } from '../../lib/time.ts'
import { HOUR } from '../units.ts'

export interface ZoneClock {
  /** returns the clock reading at a moment, as the milliseconds since 1970 at which a UTC clock shows the same */
  readonly reading: (at: number) => number
  /** returns the moment of a clock reading; if clocks show it twice, one of the two moments */
  readonly at: (reading: number) => number
  /** clock changes, oldest first */
  readonly changes: readonly ClockShift[]
}

/** @property hours hours by which clocks go forward; negative if they go back */
interface ClockShift {
  readonly at: number
  readonly hours: number
}

/**
 * Looks up each of the zone's clock changes once.
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
    // Clocks may change between the two moments.
    at: (reading) => reading - offsetAt(reading - offsetAt(reading)),
    changes,
  }
}
