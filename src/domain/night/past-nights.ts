/** Summarizes each past night with two counts. They are calculated from flips and daily counts, which are faster to read than logs. */
import { Temporal } from '../../lib/time.ts'
import type { Check } from '../check/check.ts'
import type { Flip } from '../check/flip.ts'
import type { DayRuns } from '../run/day-runs.ts'
import type { Stretch } from '../stretch.ts'
import { SECOND } from '../units.ts'
import { periodOf } from './row.ts'
import { timesBetween } from './slots.ts'
import { type NightWindow, nightOf, presentEvening } from './window.ts'

/** The problem that a check had during one night, if it runs at most once an hour; null if it had none. */
export type NightTrouble = 'missing' | 'failed' | null

export interface PastNight {
  readonly window: NightWindow
  /** number of checks with a missing run */
  readonly missing: number
  readonly failed: number
  /** false if no check existed yet */
  readonly isKnown: boolean
}

/** A period during which a check was down. If the check is still down, the period ends at infinity. */
export interface DownTime extends Stretch {
  readonly isFailure: boolean
  /** false if the check was paused while it was down, or if it is still down */
  readonly hasRecovered: boolean
}

const NIGHTS = 14

/**
 * Returns the last nights, including the current one, oldest first.
 * @param tz IANA name
 */
export function lastNights(now: number, tz: string): readonly NightWindow[] {
  const last = presentEvening(now, tz)
  return Array.from({ length: NIGHTS }, (_, index) => nightOf(last.subtract({ days: NIGHTS - 1 - index }), tz))
}

/**
 * @param flips newest first, including the check's most recent flip
 * @returns oldest first
 */
export function downTimes(flips: readonly Flip[]): readonly DownTime[] {
  return flips
    .flatMap(({ newStatus, reason, createdAt }, index): DownTime[] => {
      if (newStatus !== 'down') return []
      const end = flips[index - 1]
      return [
        {
          from: createdAt.epochMilliseconds,
          until: end?.createdAt.epochMilliseconds ?? Number.POSITIVE_INFINITY,
          isFailure: reason === 'fail',
          hasRecovered: end?.newStatus === 'up',
        },
      ]
    })
    .reverse()
}

/**
 * Returns the check's worst problem during a night. A failed or missing run does not count if a success arrives before the next run is
 * expected.
 * @param downs periods during which the check was down, oldest first
 * @param days the check's daily counts, which include runs that failed or were missing while the check was already down
 */
export function troubleOf(
  check: Check,
  downs: readonly DownTime[],
  days: readonly DayRuns[],
  window: NightWindow,
  now: number,
): NightTrouble {
  const found = downs.flatMap((down) => troublesOf(check, down, days, window, now))
  return found.includes('missing') ? 'missing' : (found[0] ?? null)
}

function troublesOf(
  check: Check,
  down: DownTime,
  days: readonly DayRuns[],
  window: NightWindow,
  now: number,
): readonly Exclude<NightTrouble, null>[] {
  const grace = check.graceSeconds * SECOND
  const began = down.isFailure ? down.from : down.from - grace
  if (began >= window.until || down.until <= window.from) return []
  return expectedIn(check, began, window).flatMap(({ at, next }) => {
    if (next <= began) return []
    const isFailure = began >= at && down.isFailure
    const isOver = isFailure || Math.min(now, down.until) >= Math.min(at + grace, next)
    if (down.hasRecovered ? down.until < next : !isOver) return []
    if (began >= at) return [isFailure ? 'failed' : 'missing']
    return [failedOn(at, check, days, down) ? 'failed' : 'missing']
  })
}

interface Expected {
  readonly at: number
  /** time at which the next run is expected */
  readonly next: number
}

/** Returns the expected runs in the window, or an empty list if the check runs more than once an hour. */
function expectedIn(check: Check, began: number, window: NightWindow): readonly Expected[] {
  if (check.kind !== 'simple') {
    const times = timesBetween(check.schedule, check.tz, window)
    const slots = times.slice(0, -1).map((at, index) => ({ at, next: times[index + 1] ?? Number.POSITIVE_INFINITY }))
    return periodOf(check, slots) === null ? slots : []
  }
  if (periodOf(check, []) !== null) return []
  const period = check.timeoutSeconds * SECOND
  const first = began + Math.max(0, Math.ceil((window.from - began) / period)) * period
  const count = Math.max(0, Math.ceil((window.until - first) / period))
  return Array.from({ length: count }, (_, index) => ({
    at: first + index * period,
    next: first + (index + 1) * period,
  }))
}

/** Whether a run failed on that day. If the day's runs have not been counted yet, the reason for the flip decides. */
function failedOn(at: number, { tz }: Check, days: readonly DayRuns[], { isFailure }: DownTime): boolean {
  const date = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(tz).toPlainDate().toString()
  const counted = days.find(({ day }) => day === date)
  return counted === undefined ? isFailure : counted.failed > 0
}
