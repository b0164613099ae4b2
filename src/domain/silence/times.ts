/** The times that a silence may have, and what is wrong with others. */
import { addSeconds, type Instant, isAtOrAfter, isBefore, later, microsecondsBetween } from '../../lib/time.ts'
import { joined, type MaintenanceWindow, type Occurrence, occurrencesFrom } from './maintenance-window.ts'
import type { SilenceTimes } from './silence.ts'

const DAY = 86_400
/** The longest silence, also of occurrences without a pause between them. */
export const SILENCE_SECONDS_MAX = 30 * DAY
/** After a longer time nobody remembers why a check that never became healthy is quiet. */
export const UNTIL_HEALTHY_SECONDS_MAX = 7 * DAY
const AHEAD_SECONDS_MAX = 365 * DAY

export interface WantedTimes {
  /** null, or in the past: at once */
  readonly startsAt: Instant | null
  /** null: the latest that is allowed until healthy; with a window: it is repeated without an end */
  readonly endsAt: Instant | null
  readonly untilHealthy: boolean
  /** null: it is not repeated */
  readonly window: MaintenanceWindow | null
}

/** @returns the times, or what to change in words without a full stop, with the names of the API's fields */
export function timesOf({ startsAt, endsAt, untilHealthy, window }: WantedTimes, now: Instant): SilenceTimes | string {
  const start = later(now, startsAt)
  if (isBefore(addSeconds(now, AHEAD_SECONDS_MAX), start)) return 'starts_at is more than 365 days ahead'
  if (endsAt !== null && isAtOrAfter(now, endsAt)) return 'ends_at is in the past'
  if (endsAt !== null && isAtOrAfter(start, endsAt)) return 'ends_at is not after starts_at'
  if (window === null) return onceUntil(endsAt, start, untilHealthy)
  if (untilHealthy) return 'until_healthy and schedule are both given: use only one'
  return againUntil(endsAt, start, window)
}

function onceUntil(endsAt: Instant | null, startsAt: Instant, untilHealthy: boolean): SilenceTimes | string {
  const last = addSeconds(startsAt, untilHealthy ? UNTIL_HEALTHY_SECONDS_MAX : SILENCE_SECONDS_MAX)
  const end = endsAt ?? (untilHealthy ? last : null)
  if (end === null) return 'ends_at is missing: give an end, or set until_healthy'
  if (isBefore(last, end)) return tooLongWords(untilHealthy)
  return { startsAt, endsAt: end, untilHealthy, window: null }
}

function tooLongWords(untilHealthy: boolean): string {
  return untilHealthy
    ? 'ends_at is more than 7 days after the start: a silence until healthy has an end before that'
    : 'ends_at is more than 30 days after the start'
}

/**
 * The number of occurrences in which a window has to pause, and in which its last one is found. A rare occurrence takes a quarter of a
 * millisecond to find.
 */
const LOOKED_AT = 40

/** Gives a window the end of its last occurrence, if that is found. */
function againUntil(endsAt: Instant | null, startsAt: Instant, window: MaintenanceWindow): SilenceTimes | string {
  const coming = occurrencesFrom(window, startsAt, LOOKED_AT)
  const [first] = coming
  if (first === undefined) return 'schedule has no occurrence left'
  if (endsAt !== null && isAtOrAfter(first.startsAt, endsAt))
    return 'ends_at is before the first occurrence of schedule'
  if (hasNoPause(coming)) {
    return 'duration leaves no pause between the occurrences of schedule: use a shorter one, or a schedule with fewer occurrences'
  }
  const last = coming.length < LOOKED_AT ? coming.at(-1) : undefined
  return { startsAt, endsAt: endsAt ?? last?.endsAt ?? null, untilHealthy: false, window }
}

/** Returns why a window cannot be used: it never begins again, or it never ends. */
export function windowFault(window: MaintenanceWindow, from: Instant): 'none-left' | 'no-pause' | null {
  const coming = occurrencesFrom(window, from, LOOKED_AT)
  if (coming.length === 0) return 'none-left'
  return hasNoPause(coming) ? 'no-pause' : null
}

/** @param coming the next occurrences, at most {@link LOOKED_AT} */
function hasNoPause(coming: readonly Occurrence[]): boolean {
  const stretches = joined(coming)
  const isEndless = stretches.length === 1 && coming.length === LOOKED_AT
  return isEndless || stretches.some(isTooLong)
}

function isTooLong({ startsAt, endsAt }: Occurrence): boolean {
  return microsecondsBetween(startsAt, endsAt) > SILENCE_SECONDS_MAX * 1_000_000
}
