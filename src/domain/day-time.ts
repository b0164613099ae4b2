/** A day and a time of day typed into a form, in the reader's time zone, on a 24-hour clock. */
import { type Instant, Temporal } from '../lib/time.ts'

const TIME = /^(?:([01]?\d|2[0-3])[:.]([0-5]\d)|24[:.]00)$/
/** Midnight at the end of a day, in minutes since its beginning. */
const MIDNIGHT = 1_440
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Parses a day, such as `2026-11-20`. Returns null for an invalid day and for any other text. */
export function readDay(text: string): Temporal.PlainDate | null {
  if (!DAY.test(text)) return null
  try {
    return Temporal.PlainDate.from(text)
  } catch {
    return null
  }
}

/**
 * Parses a day and a time. If clocks skip that time, the result is later by the length of the skip, usually an hour.
 * @param day such as `2026-11-20`
 * @param time such as `8:00`, `08:00` or `24:00`
 * @param tz IANA name
 * @returns null for an invalid day or time
 */
export function readDayTime(day: string, time: string, tz: string): Instant | null {
  const minutes = readTime(time)
  const date = readDay(day)
  if (minutes === null || date === null) return null
  const plainTime = new Temporal.PlainTime(Math.floor(minutes / 60) % 24, minutes % 60)
  const dateOfTime = minutes === MIDNIGHT ? date.add({ days: 1 }) : date
  return dateOfTime.toZonedDateTime({ timeZone: tz, plainTime }).toInstant()
}

/**
 * Parses a time of day, such as `8:00`, `08:00` or `8.00`. `24:00` is the end of the day. Returns minutes since midnight, or null for any
 * other text.
 */
export function readTime(time: string): number | null {
  const found = TIME.exec(time.trim())
  if (found === null) return null
  const [, hour, minute] = found
  return hour === undefined ? MIDNIGHT : Number(hour) * 60 + Number(minute)
}

/**
 * Returns today and the days after it.
 * @param tz IANA name
 */
export function daysFrom(now: Instant, count: number, tz: string): readonly Temporal.PlainDate[] {
  const today = now.toZonedDateTimeISO(tz).toPlainDate()
  return Array.from({ length: count }, (_, days) => today.add({ days }))
}
