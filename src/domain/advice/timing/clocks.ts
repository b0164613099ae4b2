/** Words for times of the day and for time zones. */
import { Temporal } from '../../../lib/time.ts'
import { localReadings } from '../../preview/local-readings.ts'
import { DAY, HOUR, MINUTE } from '../../units.ts'

/** Returns `03:00`. @param at milliseconds since 1970 */
export function clockIn(zone: string, at: number): string {
  const [reading = at] = localReadings(zone, [at])
  return clockFace(reading)
}

/** Returns a time with its zone: `03:00 UTC`, `03:00 in New York`. @param at milliseconds since 1970 */
export function clockWords(zone: string, at: number): string {
  return `${clockIn(zone, at)} ${zoneAfterClock(zone)}`
}

/**
 * Returns the zone as it follows a time: `UTC`, `in New York`. Pages and messages show times in the reader's zone, so a time in another
 * zone names its zone.
 */
export function zoneAfterClock(zone: string): string {
  return zone === 'UTC' ? zone : `in ${placeOf(zone)}`
}

/** Formats a time of the day. @param reading milliseconds since a midnight; may be negative */
export function clockFace(reading: number): string {
  const minutes = Math.floor((((reading % DAY) + DAY) % DAY) / MINUTE)
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** Returns the zone's offset from UTC at each moment, in milliseconds. @param moments in ascending order */
export function offsetsOf(zone: string, moments: readonly number[]): readonly number[] {
  return localReadings(zone, moments).map((reading, index) => reading - (moments[index] ?? reading))
}

/** Returns the place of a zone: `New York`, `UTC`. */
export function placeOf(zone: string): string {
  const city = zone.slice(zone.lastIndexOf('/') + 1)
  return city.replaceAll('_', ' ')
}

/** Returns the offsets of a zone: `UTC+1, +2 in summer`; `UTC+9` if the zone has no summer time. */
export function offsetWords(zone: string, now: number): string {
  const year = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO('UTC').year
  const offsets = offsetsOf(zone, [Date.UTC(year, 0, 15), Date.UTC(year, 6, 15)])
  const [winter, summer] = [Math.min(...offsets), Math.max(...offsets)]
  return winter === summer ? `UTC${signed(winter)}` : `UTC${signed(winter)}, ${signed(summer)} in summer`
}

function signed(offset: number): string {
  const [size, sign] = [Math.abs(offset), offset < 0 ? '−' : '+']
  const minutes = (size % HOUR) / MINUTE
  return `${sign}${Math.floor(size / HOUR)}${minutes === 0 ? '' : `:${two(minutes)}`}`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
