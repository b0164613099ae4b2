/** Downtime statistics: how often and for how long a check was down during each day, week or month in a time zone. */

import { fromMicroseconds, type Instant, type Temporal, toMicroseconds } from '../../lib/time.ts'
import { dayWords, weekdayClockWords } from '../../lib/time-words.ts'
import type { Check, StoredStatus } from '../check/check.ts'
import type { Flip } from '../check/flip.ts'

export type CalendarUnit = 'day' | 'week' | 'month'

/** A day, ISO week or month. It begins at local midnight and ends at the midnight after its last day. */
export interface Period {
  readonly firstDay: Temporal.PlainDate
  readonly from: Instant
  /** end of the period, exclusive */
  readonly until: Instant
}

export interface Downtime {
  /** number of downtimes that overlap the period */
  readonly count: number
  /** total downtime in the period, in microseconds of elapsed time, regardless of clock changes */
  readonly microseconds: number
  /** part of the period during which the check was monitored, in microseconds; greater than 0 */
  readonly watched: number
  /**
   * time at which monitoring began; null if monitoring covers the whole period. For periods longer than a day, up to a day at the start may
   * be missing
   */
  readonly since: Instant | null
}

const DAY = 86_400_000_000

/** Returns the first day of the period that contains `day`. Weeks begin on Monday. */
export function firstDayOf(unit: CalendarUnit, day: Temporal.PlainDate): Temporal.PlainDate {
  if (unit === 'month') return day.with({ day: 1 })
  return unit === 'week' ? day.subtract({ days: day.dayOfWeek - 1 }) : day
}

export function addUnits(unit: CalendarUnit, day: Temporal.PlainDate, count: number): Temporal.PlainDate {
  return day.add(unit === 'month' ? { months: count } : { days: unit === 'week' ? 7 * count : count })
}

/**
 * Returns the latest `count` days, weeks or months in a zone, oldest first. The last one contains `now`.
 * @param tz IANA name
 */
export function latestPeriods(unit: CalendarUnit, count: number, tz: string, now: Instant): Period[] {
  const running = firstDayOf(unit, now.toZonedDateTimeISO(tz).toPlainDate())
  return Array.from({ length: count }, (_, index) => {
    const firstDay = addUnits(unit, running, index + 1 - count)
    return { firstDay, from: midnight(firstDay, tz), until: midnight(addUnits(unit, firstDay, 1), tz) }
  })
}

/** Returns the first instant of a day. The day begins later than 00:00 if a clock change skips 00:00. */
function midnight(day: Temporal.PlainDate, tz: string): Instant {
  return day.toZonedDateTime(tz).toInstant()
}

/** Adds up a check's downtime in each period, without loading all its flips into memory. */
interface DowntimeTally {
  /**
   * Adds flips, newest first. Each call continues where the previous one ended.
   * @returns false if older flips are not needed, because the check is known to have been up or down before all periods
   */
  add(flips: readonly Flip[]): boolean
  /**
   * Returns one result per period. Must be called after enough flips have been added. Paused time is not downtime. Monitoring begins with
   * the first ping, so the time before it counts neither as up nor as down. A null result means that the check was not monitored during the
   * period.
   * @param knownSince time of the oldest flip that was added, if earlier flips are unknown
   */
  downtimes(knownSince?: Instant): (Downtime | null)[]
}

/**
 * @param check its state after the newest flip
 * @param now end of the period for which downtime is counted
 */
export function createDowntimeTally(check: Check, periods: readonly Period[], now: Instant): DowntimeTally {
  const present = toMicroseconds(now)
  const sums = periods.map(({ from, until }) => ({
    from: toMicroseconds(from),
    until: Math.min(toMicroseconds(until), present),
    // If the first ping arrives during the first day of a month, users still consider the month complete. They would not consider the day
    // itself complete.
    leastMissing: isLongerThanADay({ from, until }) ? DAY : 1,
    count: 0,
    microseconds: 0,
  }))
  const begin = Math.min(...sums.map(({ from }) => from))
  let status = check.status
  let reached = present
  /** The start of the earliest period in which the check is known to have been up or down. */
  let firstJudged = present
  let isEnough = false

  // If the clock was set back between two flips, the time between them counts as zero.
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
        if (isJudged(flip.newStatus)) firstJudged = reached
        status = flip.oldStatus
        // A check that is paused or waiting for a ping may never have been pinged. Older flips show whether it ever was.
        isEnough ||= reached <= begin && isJudged(status)
      }
      return !isEnough
    },
    downtimes(knownSince) {
      const isSinceFirstPing = status === 'new'
      const begun = isSinceFirstPing ? firstJudged : toMicroseconds(knownSince ?? check.createdAt)
      goBackTo(begun)
      return sums.map(({ from, until, leastMissing, count, microseconds }) => {
        const watched = until - Math.max(from, begun)
        if (watched <= 0) return null
        const since = begun - from >= leastMissing ? fromMicroseconds(begun) : null
        return { count, microseconds, watched, since }
      })
    },
  }
}

function isLongerThanADay({ from, until }: Pick<Period, 'from' | 'until'>): boolean {
  return toMicroseconds(until) - toMicroseconds(from) >= 2 * DAY
}

function isJudged(status: StoredStatus): boolean {
  return status === 'up' || status === 'down'
}

/**
 * Returns a check's availability: the percentage of monitored time during which it was not down, rounded down to two decimal places, such
 * as `99.98`. Pages, status pages and reports all show this value.
 */
export function uptimePercent({ microseconds, watched }: Pick<Downtime, 'microseconds' | 'watched'>): string {
  // BigInt avoids rounding errors: in floating point, an exact number of hundredths could come out slightly too small.
  return (Number((10_000n * BigInt(watched - microseconds)) / BigInt(watched)) / 100).toFixed(2)
}

/**
 * Describes when monitoring began if it does not cover the whole period, such as `since 20 Nov`, or `since Fri 14:05` if less than a day
 * was monitored. Returns null if the whole period was monitored. The phrase is shown after each availability percentage.
 * @param tz IANA name
 */
export function sinceWords({ since, watched }: Pick<Downtime, 'since' | 'watched'>, tz: string): string | null {
  if (since === null) return null
  const { epochMilliseconds: at } = since
  return `since ${watched < DAY ? weekdayClockWords(at, tz) : dayWords(at, tz)}`
}

/**
 * Returns a phrase such as `99.98 % up`, or `99.98 % up since 20 Nov` if only part of the period was monitored.
 * @param tz IANA name
 */
export function upWords(downtime: Downtime, tz: string): string {
  return [`${uptimePercent(downtime)} % up`, sinceWords(downtime, tz)].filter((words) => words !== null).join(' ')
}
