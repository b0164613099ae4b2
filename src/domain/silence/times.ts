/** Validates a silence's times. */
import { addSeconds, type Instant, isAtOrAfter, isBefore, later, microsecondsBetween } from '../../lib/time.ts'
import { isWritable } from '../instant.ts'
import {
  endOfStretch,
  joined,
  type MaintenanceWindow,
  type Occurrence,
  occurrenceFrom,
  occurrencesFrom,
} from './maintenance-window.ts'
import type { SilenceTimes } from './silence.ts'

const DAY = 86_400
/** Maximum duration, in seconds, of a silence, and of a series of occurrences without a pause between them. */
export const SILENCE_SECONDS_MAX = 30 * DAY
/**
 * Maximum duration, in seconds, of a silence that lasts until a check is healthy. If it lasted longer, users might not remember why the
 * check is silent.
 */
export const UNTIL_HEALTHY_SECONDS_MAX = 7 * DAY
const AHEAD_SECONDS_MAX = 365 * DAY

export interface WantedTimes {
  /** requested start; if null or in the past, the silence starts now */
  readonly startsAt: Instant | null
  /** requested end; if null, a silence until healthy gets the latest end that is allowed, and a repeating window has no end */
  readonly endsAt: Instant | null
  readonly untilHealthy: boolean
  /** repeating window; null if the silence does not repeat */
  readonly window: MaintenanceWindow | null
}

/** Messages about invalid times. They use the API's field names and don't end with a period. */
export const TIMES_FAULTS = {
  'start-too-far': 'starts_at is more than 365 days ahead',
  'end-past': 'ends_at is in the past',
  'end-before-start': 'ends_at is not after starts_at',
  'two-ends': 'until_healthy and schedule are both given: use only one',
  'no-end': 'ends_at is missing: give an end, or set until_healthy',
  'too-long': 'ends_at is more than 30 days after the start',
  'too-long-until-healthy':
    'ends_at is more than 7 days after the start: a silence until healthy has an end before that',
  'none-left': 'schedule has no further occurrence',
  'end-before-first': 'ends_at is before the first occurrence of schedule',
  'no-pause':
    'duration leaves no pause between the occurrences of schedule: use a shorter one, or a schedule with fewer occurrences',
} as const satisfies Readonly<Record<string, string>>
export type TimesFault = keyof typeof TIMES_FAULTS

/** @returns the validated times, or the fault that was found */
export function timesOf(
  { startsAt, endsAt, untilHealthy, window }: WantedTimes,
  now: Instant,
): SilenceTimes | TimesFault {
  const start = later(now, startsAt)
  if (isBefore(addSeconds(now, AHEAD_SECONDS_MAX), start)) return 'start-too-far'
  if (endsAt !== null && isAtOrAfter(now, endsAt)) return 'end-past'
  if (endsAt !== null && isAtOrAfter(start, endsAt)) return 'end-before-start'
  if (window === null) return onceUntil(endsAt, start, untilHealthy)
  return untilHealthy ? 'two-ends' : againUntil(endsAt, start, window)
}

function onceUntil(endsAt: Instant | null, startsAt: Instant, untilHealthy: boolean): SilenceTimes | TimesFault {
  const last = addSeconds(startsAt, untilHealthy ? UNTIL_HEALTHY_SECONDS_MAX : SILENCE_SECONDS_MAX)
  const end = endsAt ?? (untilHealthy ? last : null)
  if (end === null) return 'no-end'
  if (isBefore(last, end)) return untilHealthy ? 'too-long-until-healthy' : 'too-long'
  return { startsAt, endsAt: end, untilHealthy, window: null }
}

/** Maximum number of occurrences to examine to find the last one. Finding a rare occurrence takes a quarter of a millisecond. */
const LOOKED_AT = 40

/**
 * Returns the times. If no end is given, the end of the window's last occurrence is their end. They have no end if the last occurrence is
 * too far ahead to be found or written.
 */
function againUntil(endsAt: Instant | null, startsAt: Instant, window: MaintenanceWindow): SilenceTimes | TimesFault {
  const coming = occurrencesFrom(window, startsAt, LOOKED_AT)
  const [first] = coming
  if (first === undefined) return 'none-left'
  if (endsAt !== null && isAtOrAfter(first.startsAt, endsAt)) return 'end-before-first'
  if (hasNoPause(window, coming)) return 'no-pause'
  const last = coming.length < LOOKED_AT ? coming.at(-1)?.endsAt : undefined
  const lastEnd = last !== undefined && isWritable(last) ? last : null
  return { startsAt, endsAt: endsAt ?? lastEnd, untilHealthy: false, window }
}

/**
 * Returns the reason why a window can't be used: it never begins again, or there is never a pause between its occurrences. Returns null if
 * it can be used.
 */
export function windowFault(
  window: MaintenanceWindow,
  from: Instant,
): Extract<TimesFault, 'none-left' | 'no-pause'> | null {
  const coming = occurrencesFrom(window, from, LOOKED_AT)
  if (coming.length === 0) return 'none-left'
  return hasNoPause(window, coming) ? 'no-pause' : null
}

/**
 * Number of stretches to follow to their ends. If the first one ends only because clocks are set back, as with `0 0 * * *` for 24 hours, the
 * second one is too long.
 */
const FOLLOWED = 2

/**
 * Whether a stretch without a pause is too long. The answer does not depend on the time of the question for schedules that repeat every
 * week, because stretches are followed to their ends.
 * @param coming the next occurrences, at most {@link LOOKED_AT}
 */
function hasNoPause(window: MaintenanceWindow, coming: readonly Occurrence[]): boolean {
  if (joined(coming).some(isTooLong)) return true
  let next = coming[0] ?? null
  for (let stretch = 0; stretch < FOLLOWED && next !== null; stretch++) {
    const end = endOfStretch(window, next, SILENCE_SECONDS_MAX)
    if (end === null) return true
    next = occurrenceFrom(window, end)
  }
  return false
}

function isTooLong({ startsAt, endsAt }: Occurrence): boolean {
  return microsecondsBetween(startsAt, endsAt) > SILENCE_SECONDS_MAX * 1_000_000
}
