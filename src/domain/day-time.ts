/** A day and a time of day, as entered in forms: in the reader's time zone, on a 24-hour clock. */
import { type Instant, Temporal } from '../lib/time.ts'

const TIME = /^([01]?\d|2[0-3])[:.]([0-5]\d)$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

/**
 * Reads a day and a time. A time that the clocks skip is moved later by as much as they are put forward.
 * @param day `2026-11-20` @param time `8:00`, `08:00` @param tz IANA name
 * @returns null for an invalid day or time
 */
export function readDayTime(day: string, time: string, tz: string): Instant | null {
  const [, hour, minute] = TIME.exec(time.trim()) ?? []
  if (hour === undefined || minute === undefined || !DAY.test(day)) return null
  try {
    const plainTime = new Temporal.PlainTime(Number(hour), Number(minute))
    return Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: tz, plainTime }).toInstant()
  } catch {
    return null
  }
}

/** Returns today and the following days. @param tz IANA name */
export function daysFrom(now: Instant, count: number, tz: string): readonly Temporal.PlainDate[] {
  const today = now.toZonedDateTimeISO(tz).toPlainDate()
  return Array.from({ length: count }, (_, days) => today.add({ days }))
}
