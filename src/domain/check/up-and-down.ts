/** How much a check was up: the last 90 days one by one and together, and the last three months. */
import { type Instant, later, microsecondsBetween, type Temporal } from '../../lib/time.ts'
import type { Check } from './check.ts'
import { createDowntimeTally, type Downtime, latestPeriods, type Period, uptimePercent } from './downtime.ts'
import type { Flip } from './flip.ts'

const DAYS = 90
const MONTHS = 3

/** `partly`: there was some downtime; `down`: more than half of the day, or still; null: before its first ping. */
export type DayLook = 'up' | 'partly' | 'down'

export interface UpAndDown {
  /** oldest first; the last one is today */
  readonly days: readonly { readonly day: Temporal.PlainDate; readonly look: DayLook | null }[]
  /** of the last 90 days, from its first ping to now */
  readonly total: Downtime
  /** of the same time, such as `99.41`; null for a check that was not pinged yet */
  readonly percent: string | null
  /** oldest first; of whole months, the running one too; null: before its first ping */
  readonly months: readonly {
    readonly month: Temporal.PlainDate
    readonly downtime: Downtime | null
    readonly percent: string | null
  }[]
}

interface UpAndDownTally {
  /** Takes flips by `n`, newest first. @returns false when older flips can't matter */
  add(flips: readonly Flip[]): boolean
  /** @param knownSince the oldest flip that was added, if those before it are not known */
  result(knownSince?: Instant): UpAndDown
}

/** What is looked at: the same for all checks of a page, since midnights take long to find. Oldest first. */
export interface UpAndDownCalendar {
  readonly days: readonly [Period, ...Period[]]
  readonly months: readonly Period[]
}

/** @param tz IANA name: days and months begin at its midnights */
export function upAndDownCalendar(tz: string, now: Instant): UpAndDownCalendar {
  const [first, ...others] = latestPeriods('day', DAYS, tz, now)
  if (!first) throw new Error('a calendar without days')
  return { days: [first, ...others], months: latestPeriods('month', MONTHS, tz, now) }
}

/** @param check its state after the first flip that is added */
export function createUpAndDown(check: Check, { days, months }: UpAndDownCalendar, now: Instant): UpAndDownTally {
  const [first] = days
  const whole: Period = { firstDay: first.firstDay, from: later(first.from, check.createdAt), until: now }
  const tally = createDowntimeTally(check, [whole, ...days, ...months], now)
  /** The first ping begins the watch. */
  let watchedSince = check.status === 'new' && check.nFlips === 0 ? endOf([...days, ...months]) : check.createdAt
  return {
    add(flips) {
      for (const { n, oldStatus, createdAt } of flips) if (n === 1 && oldStatus === 'new') watchedSince = createdAt
      return tally.add(flips)
    },
    result(knownSince) {
      const begun = knownSince ?? watchedSince
      const [total, ...others] = tally.downtimes(begun)
      const known: Period = { ...whole, from: later(whole.from, begun) }
      const lived = total ?? { count: 0, microseconds: 0 }
      return {
        days: days.map((day, index) => {
          const isRunning = index === days.length - 1 && check.status === 'down'
          return { day: day.firstDay, look: lookOf(others[index] ?? null, day, isRunning) }
        }),
        total: lived,
        percent: microsecondsBetween(known.from, known.until) > 0 ? uptimePercent(lived, known) : null,
        months: months.map((month, index) => {
          const downtime = others[days.length + index] ?? null
          return { month: month.firstDay, downtime, percent: downtime && uptimePercent(downtime, month) }
        }),
      }
    },
  }
}

function endOf(periods: readonly Period[]): Instant {
  return periods.map(({ until }) => until).reduce((last, until) => later(last, until))
}

function lookOf(downtime: Downtime | null, { from, until }: Period, isStillDown: boolean): DayLook | null {
  if (downtime === null) return null
  if (isStillDown || 2 * downtime.microseconds > microsecondsBetween(from, until)) return 'down'
  return downtime.count === 0 ? 'up' : 'partly'
}
