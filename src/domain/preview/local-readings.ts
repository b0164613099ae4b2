/** The clock readings of a zone at many moments. */
import { Temporal } from '../../lib/time.ts'

/**
 * Returns readings as the milliseconds since 1970 at which a clock in UTC shows them. Looks up the zone only once for each change of its
 * clocks.
 * @param moments milliseconds since 1970, in ascending order
 * @throws RangeError if the zone is unknown
 */
export function localReadings(timeZone: string, moments: readonly number[]): readonly number[] {
  const [first = 0] = moments
  let zoned: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(first).toZonedDateTimeISO(timeZone)
  let offset = zoned.offsetNanoseconds / 1e6
  let next: Temporal.ZonedDateTime | null = zoned.getTimeZoneTransition('next')
  return moments.map((moment) => {
    while (next !== null && next.epochMilliseconds <= moment) {
      zoned = next
      offset = zoned.offsetNanoseconds / 1e6
      next = zoned.getTimeZoneTransition('next')
    }
    return moment + offset
  })
}
