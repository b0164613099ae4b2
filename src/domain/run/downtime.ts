/** Downtime statistics: how often and how long a check was down in each day, week or month of a time zone. */

import { fromMicroseconds, type Instant, type Temporal, toMicroseconds } from '../../lib/time.ts'
import { dayWords, weekdayClockWords } from '../../lib/time-words.ts'
import type { Check, StoredStatus } from '../check/check.ts'
import type { Flip } from '../check/flip.ts'

export type CalendarUnit = 'day' | 'week' | 'month'

/** A day, ISO week or month, from the first local midnight to the midnight after its end. */
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
  /** monitored part of the period, in microseconds; greater than 0 */
  readonly watched: number
  /** time at which monitoring began; null if it covers the whole period. In a period of several days, up to a day may be missing */
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
 * Returns the latest `count` periods in a zone, oldest first. The last one contains `now`.
 * @param tz IANA name
 */
export function latestPeriods(unit: CalendarUnit, count: number, tz: string, now: Instant): Period[] {
  const running = firstDayOf(unit, now.toZonedDateTimeISO(tz).toPlainDate())
  return Array.from({ length: count }, (_, index) => {
    const firstDay = addUnits(unit, running, index + 1 - count)
    return { firstDay, from: midnight(firstDay, tz), until: midnight(addUnits(unit, firstDay, 1), tz) }
  })
}

/** Returns the first moment of a day. If clocks skip 00:00, the day begins later. */
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
   * Returns one result per period, once enough flips were added. Paused time is not downtime. Monitoring begins with the first ping, so the
   * time before it counts neither as up nor as down. Null means no data: the check was not monitored during the period.
   * @param knownSince the oldest flip that was added, if earlier flips are unknown
   */
  downtimes(knownSince?: Instant): (Downtime | null)[]
}

/**
 * @param check state after the first flip that is added
 * @param now time up to which downtime is counted
 */
export function createDowntimeTally(check: Check, periods: readonly Period[], now: Instant): DowntimeTally {
  const present = toMicroseconds(now)
  const sums = periods.map(({ from, until }) => ({
    from: toMicroseconds(from),
    until: Math.min(toMicroseconds(until), present),
    // If the first ping arrives during the first night of a month, users still consider the month complete. They would not consider a day
    // complete.
    leastMissing: isLongerThanADay({ from, until }) ? DAY : 1,
    count: 0,
    microseconds: 0,
  }))
  const begin = Math.min(...sums.map(({ from }) => from))
  let status = check.status
  let reached = present
  /** The start of the oldest stretch that is known to be up or down. */
  let firstJudged = present
  let isEnough = false

  // If the clock was set back, a stretch has no length.
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
        // A check that is paused or waiting for a ping may never have been pinged. Older flips show whether it was.
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
 * Returns a check's availability: the percentage of monitored time in which it was not down, rounded down to two decimals, such as `99.98`.
 * Pages, status pages and reports all use this value.
 */
export function uptimePercent({ microseconds, watched }: Pick<Downtime, 'microseconds' | 'watched'>): string {
  // BigInt is used because in floating point, an exact number of hundredths could come out slightly too small.
  return (Number((10_000n * BigInt(watched - microseconds)) / BigInt(watched)) / 100).toFixed(2)
}

/**
 * Returns words for the start of monitoring, if it does not cover the whole period, such as `since 20 Nov`, or `since Fri 14:05` for less
 * than a day. Null if the whole period was monitored. The words follow every availability that is shown.
 * @param tz IANA name
 */
export function sinceWords({ since, watched }: Pick<Downtime, 'since' | 'watched'>, tz: string): string | null {
  if (since === null) return null
  const { epochMilliseconds: at } = since
  return `since ${watched < DAY ? weekdayClockWords(at, tz) : dayWords(at, tz)}`
}

/**
 * Returns words such as `99.98 % up`, or `99.98 % up since 20 Nov` if only part of the period was monitored.
 * @param tz IANA name
 */
export function upWords(downtime: Downtime, tz: string): string {
  return [`${uptimePercent(downtime)} % up`, sinceWords(downtime, tz)].filter((words) => words !== null).join(' ')
}
