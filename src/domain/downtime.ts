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

/** Adds up what of each period a check was down, so that nobody has to hold all of its flips at once. */
export interface DowntimeTally {
  /**
   * Takes flips by `n`, newest first, and goes on where the last call ended.
   * @returns false when older ones change nothing any more: these lie before every period
   */
  add(flips: readonly Flip[]): boolean
  /**
   * One for each period, once all flips that are still kept were added, or enough of them; paused is not down. Null where
   * there is no data: the period ended before the check was made, or is a day that the zone's calendar leaves out.
   */
  downtimes(): (Downtime | null)[]
}

/**
 * @param check as it is after the first flip that is added
 * @param now what happens later does not count
 */
export function createDowntimeTally(check: Check, periods: readonly Period[], now: Instant): DowntimeTally {
  const createdAt = toMicroseconds(check.createdAt)
  const sums = periods.map(({ from, until }) => ({
    from: toMicroseconds(from),
    until: toMicroseconds(until),
    count: 0,
    microseconds: 0,
  }))
  const begin = Math.min(...sums.map(({ from }) => from))
  let status = check.status
  let reached = toMicroseconds(now)

  // A clock that was turned back gives stretches without length.
  const goBackTo = (microseconds: number) => {
    const from = Math.min(microseconds, reached)
    for (const sum of status === 'down' ? sums : []) {
      const length = Math.min(reached, sum.until) - Math.max(from, sum.from)
      if (length <= 0) continue
      sum.count += 1
      sum.microseconds += length
    }
    reached = from
  }

  return {
    add(flips) {
      for (const flip of flips) {
        goBackTo(toMicroseconds(flip.createdAt))
        status = flip.oldStatus
      }
      return reached > begin
    },
    downtimes() {
      goBackTo(createdAt)
      return sums.map(({ from, until, count, microseconds }) =>
        until <= createdAt || from === until ? null : { count, microseconds },
      )
    },
  }
}

/** The part of a period's real time that a check was not down, in percent, two decimals, cut and not rounded: `99.98`. */
export function uptimePercent({ microseconds }: Downtime, { from, until }: Period): string {
  const length = toMicroseconds(until) - toMicroseconds(from)
  // Exact: in floating point a whole number of hundredths may come out just below itself.
  return (Number((10_000n * BigInt(length - microseconds)) / BigInt(length)) / 100).toFixed(2)
}
