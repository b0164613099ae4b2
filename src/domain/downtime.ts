/** Downtime statistics: how often and for how long a check was down in the days, weeks or months of a time zone. */
import type { Check } from './check.ts'
import type { Flip } from './flip.ts'
import { type Instant, type Temporal, toMicroseconds } from './time.ts'

export type CalendarUnit = 'day' | 'week' | 'month'

/** One day, ISO week or month, from its first local midnight to the next one's. */
export interface Period {
  readonly firstDay: Temporal.PlainDate
  readonly from: Instant
  /** the end, which belongs to the next period */
  readonly until: Instant
}

/** A check with its flips since some instant, newest first, by `n`. */
export interface History {
  readonly check: Check
  readonly flips: readonly Flip[]
}

export interface Downtime {
  /** stretches of being down that touch the period */
  readonly count: number
  /** what of them lies within the period; real time, also where the clock was changed */
  readonly microseconds: number
}

/** The first day of the period that a day belongs to; weeks begin on Monday. */
export function firstDayOf(unit: CalendarUnit, day: Temporal.PlainDate): Temporal.PlainDate {
  if (unit === 'month') return day.with({ day: 1 })
  return unit === 'week' ? day.subtract({ days: day.dayOfWeek - 1 }) : day
}

export function addUnits(unit: CalendarUnit, day: Temporal.PlainDate, count: number): Temporal.PlainDate {
  return day.add(unit === 'month' ? { months: count } : { days: unit === 'week' ? 7 * count : count })
}

/**
 * The newest `count` periods in a zone, oldest first; the last one is still running at `now`.
 * @param tz IANA name
 */
export function latestPeriods(unit: CalendarUnit, count: number, tz: string, now: Instant): Period[] {
  const running = firstDayOf(unit, now.toZonedDateTimeISO(tz).toPlainDate())
  return Array.from({ length: count }, (_, index) => {
    const firstDay = addUnits(unit, running, index + 1 - count)
    return { firstDay, from: midnight(firstDay, tz), until: midnight(addUnits(unit, firstDay, 1), tz) }
  })
}

/** The first moment of a day, which is not 00:00 where the clock skips that. */
function midnight(day: Temporal.PlainDate, tz: string): Instant {
  return day.toZonedDateTime(tz).toInstant()
}

/**
 * What of each period a check was down, as far as it has happened by `now`; paused is not down. Null where there is no
 * data: the period ended before the check was made, or is a day that the zone's calendar leaves out.
 * @param history with every flip since the first period began, as far as they are still kept
 */
export function downtimes(history: History, periods: readonly Period[], now: Instant): (Downtime | null)[] {
  const createdAt = toMicroseconds(history.check.createdAt)
  const stretches = stretchesDown(history, now)
  return periods.map((period) => {
    const from = toMicroseconds(period.from)
    const until = toMicroseconds(period.until)
    if (until <= createdAt || from === until) return null
    const within = stretches
      .map((stretch) => Math.min(stretch.until, until) - Math.max(stretch.from, from))
      .filter((length) => length > 0)
    return { count: within.length, microseconds: within.reduce((sum, length) => sum + length, 0) }
  })
}

/** Backwards from now, each in microseconds. A clock that was turned back gives stretches without length. */
function stretchesDown({ check, flips }: History, now: Instant): { from: number; until: number }[] {
  const stretches: { from: number; until: number }[] = []
  let until = toMicroseconds(now)
  let status = check.status
  for (const flip of flips) {
    const from = Math.min(toMicroseconds(flip.createdAt), until)
    if (status === 'down') stretches.push({ from, until })
    until = from
    status = flip.oldStatus
  }
  if (status === 'down') stretches.push({ from: toMicroseconds(check.createdAt), until })
  return stretches
}

/** The part of a period's real time that a check was not down, in percent, two decimals, cut and not rounded: `99.98`. */
export function uptimePercent({ microseconds }: Downtime, { from, until }: Period): string {
  const length = toMicroseconds(until) - toMicroseconds(from)
  // Exact: in floating point a whole number of hundredths may come out just below itself.
  return (Number((10_000n * BigInt(length - microseconds)) / BigInt(length)) / 100).toFixed(2)
}
