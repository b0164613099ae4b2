/** The period of time that a night covers. */

import { Temporal } from '../../lib/time.ts'
import { HOUR } from '../units.ts'

export interface NightWindow {
  readonly view: 'night' | '24h' | 'wall'
  /** date of the evening on which the window begins */
  readonly evening: Temporal.PlainDate
  /** milliseconds since 1970 */
  readonly from: number
  readonly until: number
  /** local hour of day at each full hour of the window, including both ends; a clock change adds or removes an hour */
  readonly hours: readonly number[]
  /** true if the window does not begin at the usual time of day */
  readonly isMoved: boolean
}

const DAY_HOURS = 24
const NIGHT_HOURS = 14
const BEGIN = Temporal.PlainTime.from('18:00')
const END = Temporal.PlainTime.from('08:00')
/** Hour of the day after which pages show the coming night. */
const COMING_FROM = 16

/**
 * Returns the night's window, from 18:00 to 08:00 the next day.
 * @param tz IANA name
 */
export function nightOf(evening: Temporal.PlainDate, tz: string): NightWindow {
  const at = (date: Temporal.PlainDate, plainTime: Temporal.PlainTime) =>
    date.toZonedDateTime({ timeZone: tz, plainTime }).epochMilliseconds
  return windowOf('night', at(evening, BEGIN), at(evening.add({ days: 1 }), END), tz)
}

/**
 * Returns a window that is as long as a night.
 * @param from milliseconds since 1970, on the hour
 */
export function nightFrom(from: number, tz: string): NightWindow {
  const night = nightOf(zoned(from, tz).toPlainDate(), tz)
  return night.from === from ? night : { ...windowOf('night', from, from + NIGHT_HOURS * HOUR, tz), isMoved: true }
}

/** Returns the evening of the night to show by default: the last or current night or, from late afternoon on, the next one. */
export function presentEvening(now: number, tz: string): Temporal.PlainDate {
  const local = zoned(now, tz)
  const today = local.toPlainDate()
  return local.hour >= COMING_FROM ? today : today.subtract({ days: 1 })
}

/** Returns a window of the last 24 hours, including the current hour. */
export function latestDay(now: number, tz: string): NightWindow {
  const hour = zoned(now, tz).round({ smallestUnit: 'hour', roundingMode: 'floor' })
  return dayFrom(hour.epochMilliseconds - (DAY_HOURS - 1) * HOUR, tz)
}

/** Returns a window that is as long as a night and ends with the current hour. */
export function latestHours(now: number, tz: string): NightWindow {
  const until = zoned(now, tz).round({ smallestUnit: 'hour', roundingMode: 'floor' }).epochMilliseconds + HOUR
  return windowOf('wall', until - NIGHT_HOURS * HOUR, until, tz)
}

/** @param from milliseconds since 1970, on the hour */
export function dayFrom(from: number, tz: string): NightWindow {
  return windowOf('24h', from, from + DAY_HOURS * HOUR, tz)
}

function windowOf(view: NightWindow['view'], from: number, until: number, tz: string): NightWindow {
  const count = Math.round((until - from) / HOUR)
  const hours = Array.from({ length: count + 1 }, (_, index) => zoned(from + index * HOUR, tz).hour)
  return { view, evening: zoned(from, tz).toPlainDate(), from, until, hours, isMoved: false }
}

function zoned(at: number, tz: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(tz)
}
