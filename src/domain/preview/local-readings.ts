/** Converts many instants to local times in a time zone. */
import { Temporal } from '../../lib/time.ts'

/**
 * Returns local times, encoded as milliseconds since 1970 as if the zone were UTC. Looks up the zone only once per clock change.
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
