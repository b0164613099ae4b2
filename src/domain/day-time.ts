/** A day and a time of day, as forms ask for them: in the zone of their reader, on a clock of 24 hours. */
import { type Instant, Temporal } from '../lib/time.ts'

const TIME = /^([01]?\d|2[0-3])[:.]([0-5]\d)$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

/**
 * A time that the clocks skip is taken as much later as they are put forward.
 * @param day `2026-11-20` @param time `8:00`, `08:00` @param tz IANA name
 * @returns null for a day or a time that is none
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

/** Today and the days that follow. @param tz IANA name */
export function daysFrom(now: Instant, count: number, tz: string): readonly Temporal.PlainDate[] {
  const today = now.toZonedDateTimeISO(tz).toPlainDate()
  return Array.from({ length: count }, (_, days) => today.add({ days }))
}
