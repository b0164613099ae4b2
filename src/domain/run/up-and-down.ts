/** A check's availability: for each of the last 90 days, for all of them together, and for each of the last three months. */
import { type Instant, microsecondsBetween, type Temporal } from '../../lib/time.ts'
import type { Check } from '../check/check.ts'
import type { Flip } from '../check/flip.ts'
import { createDowntimeTally, type Downtime, latestPeriods, type Period } from './downtime.ts'

const DAYS = 90
const MONTHS = 3

/**
 * A day's status. `partly`: there was some downtime. `down`: the check was down for more than half of the day, or it is the current day and
 * the check is still down.
 */
export type DayLook = 'up' | 'partly' | 'down'

export interface UpAndDown {
  /** days, oldest first, ending with today; `look` is null for days before the first ping */
  readonly days: readonly { readonly day: Temporal.PlainDate; readonly look: DayLook | null }[]
  /** downtime during the last 90 days, or since the first ping if it is more recent; null before the first ping */
  readonly total: Downtime | null
  /** months, oldest first, ending with the current month; `downtime` is null for months before the first ping */
  readonly months: readonly { readonly month: Temporal.PlainDate; readonly downtime: Downtime | null }[]
}

interface UpAndDownTally {
  /**
   * Adds flips, newest first.
   * @returns false if older flips are not needed
   */
  add(flips: readonly Flip[]): boolean
  /** @param knownSince time of the oldest flip that was added, if earlier flips are unknown */
  result(knownSince?: Instant): UpAndDown
}

/** The periods to evaluate, oldest first. All checks on a page share them, because finding each midnight is slow. */
export interface UpAndDownCalendar {
  readonly days: readonly [Period, ...Period[]]
  readonly months: readonly Period[]
}

/** @param tz IANA name of the time zone in which days and months begin */
export function upAndDownCalendar(tz: string, now: Instant): UpAndDownCalendar {
  const [first, ...others] = latestPeriods('day', DAYS, tz, now)
  if (!first) throw new Error('a calendar without days')
  return { days: [first, ...others], months: latestPeriods('month', MONTHS, tz, now) }
}

/** @param check its state after the newest flip */
export function createUpAndDown(check: Check, { days, months }: UpAndDownCalendar, now: Instant): UpAndDownTally {
  const whole: Period = { firstDay: days[0].firstDay, from: days[0].from, until: now }
  const tally = createDowntimeTally(check, [whole, ...days, ...months], now)
  return {
    add: tally.add,
    result(knownSince) {
      const [total = null, ...others] = tally.downtimes(knownSince)
      return {
        days: days.map((day, index) => {
          const isRunning = index === days.length - 1 && check.status === 'down'
          return { day: day.firstDay, look: lookOf(others[index] ?? null, day, isRunning) }
        }),
        total,
        months: months.map(({ firstDay }, index) => ({
          month: firstDay,
          downtime: others[days.length + index] ?? null,
        })),
      }
    },
  }
}

function lookOf(downtime: Downtime | null, { from, until }: Period, isStillDown: boolean): DayLook | null {
  if (downtime === null) return null
  if (isStillDown || 2 * downtime.microseconds > microsecondsBetween(from, until)) return 'down'
  return downtime.count === 0 ? 'up' : 'partly'
}
