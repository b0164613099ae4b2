/** The clocks of a zone in the period of a plot: their readings and their changes. */
import { fromMilliseconds, type Temporal } from '../../lib/time.ts'
import { HOUR } from '../units.ts'

export interface ZoneClock {
  /** returns the reading of clocks at a moment, as the milliseconds since 1970 at which a clock in UTC has it */
  readonly reading: (at: number) => number
  /** returns the moment of a reading; one of the two moments of a repeated reading */
  readonly at: (reading: number) => number
  /** oldest first */
  readonly changes: readonly ClockShift[]
}

/** @property hours change of the clocks; negative: back */
interface ClockShift {
  readonly at: number
  readonly hours: number
}

/** Looks up each change of the zone's clocks once. @throws RangeError when the zone is unknown */
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
    // The clocks may change between the two moments.
    at: (reading) => reading - offsetAt(reading - offsetAt(reading)),
    changes,
  }
}
