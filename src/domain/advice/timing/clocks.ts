/** Formats times of day and time zones. */
import { Temporal } from '../../../lib/time.ts'
import { localReadings } from '../../preview/local-readings.ts'
import { DAY, HOUR, MINUTE } from '../../units.ts'

/**
 * Formats the time of day in a zone, such as `03:00`.
 * @param at milliseconds since 1970
 */
export function clockIn(zone: string, at: number): string {
  const [reading = at] = localReadings(zone, [at])
  return clockFace(reading)
}

/**
 * Formats the time of day with its zone, such as `03:00 UTC` or `03:00 in New York`.
 * @param at milliseconds since 1970
 */
export function clockWords(zone: string, at: number): string {
  return `${clockIn(zone, at)} ${zoneAfterClock(zone)}`
}

/**
 * Returns the text that names the zone after a time: `UTC`, `in New York`. Pages and messages show times in the reader's zone, so a time in
 * any other zone must name that zone.
 */
export function zoneAfterClock(zone: string): string {
  return zone === 'UTC' ? zone : `in ${placeOf(zone)}`
}

/**
 * Formats a time of day.
 * @param reading milliseconds since midnight; may be negative
 */
export function clockFace(reading: number): string {
  const minutes = Math.floor((((reading % DAY) + DAY) % DAY) / MINUTE)
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/**
 * Returns the zone's UTC offset at each moment, in milliseconds.
 * @param moments in ascending order
 */
export function offsetsOf(zone: string, moments: readonly number[]): readonly number[] {
  return localReadings(zone, moments).map((reading, index) => reading - (moments[index] ?? reading))
}

/** Returns the place that a zone is named after, such as `New York`, or `UTC`. */
export function placeOf(zone: string): string {
  const city = zone.slice(zone.lastIndexOf('/') + 1)
  return city.replaceAll('_', ' ')
}

/** Returns the UTC offsets of a zone, such as `UTC+1, +2 in summer`, or `UTC+9` if the zone has no summer time. */
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
