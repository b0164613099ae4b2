/** Times of the day in sentences, and the names of the zones in which they are read. */
import { Temporal } from '../../../lib/time.ts'
import { localReadings } from '../../preview/local-readings.ts'
import { DAY, HOUR, MINUTE } from '../../units.ts'

/** Returns `03:00`. @param at milliseconds since 1970 */
export function clockIn(zone: string, at: number): string {
  const [reading = at] = localReadings(zone, [at])
  return clockFace(reading)
}

/** Returns `03:00 UTC`, `03:00 in New York`. @param at milliseconds since 1970 */
export function clockWords(zone: string, at: number): string {
  return `${clockIn(zone, at)} ${zoneAfterClock(zone)}`
}

/** Returns `UTC`, `in New York`. Pages and messages show times in the zone of the reader, so a time in another zone names that zone. */
export function zoneAfterClock(zone: string): string {
  return zone === 'UTC' ? zone : `in ${placeOf(zone)}`
}

/** @param reading milliseconds since some midnight; may be negative */
export function clockFace(reading: number): string {
  const minutes = Math.floor((((reading % DAY) + DAY) % DAY) / MINUTE)
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** Returns the milliseconds by which the clocks of the zone are ahead of UTC at each moment. @param moments in ascending order */
export function offsetsOf(zone: string, moments: readonly number[]): readonly number[] {
  return localReadings(zone, moments).map((reading, index) => reading - (moments[index] ?? reading))
}

/** Returns `New York`, `UTC`. */
export function placeOf(zone: string): string {
  const city = zone.slice(zone.lastIndexOf('/') + 1)
  return city.replaceAll('_', ' ')
}

/** Returns `UTC+1, +2 in summer`; `UTC+9` where clocks are never changed. */
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
