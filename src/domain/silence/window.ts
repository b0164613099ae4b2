/** The allowed times of a silence, and the faults of others. */
import { addSeconds, type Instant, isAtOrAfter, isBefore, later } from '../../lib/time.ts'
import type { SilenceWindow } from './silence.ts'

const DAY = 86_400
export const SILENCE_SECONDS_MAX = 30 * DAY
/** After a longer time nobody remembers why a check that never recovered is silenced. */
export const UNTIL_HEALTHY_SECONDS_MAX = 7 * DAY
const AHEAD_SECONDS_MAX = 365 * DAY

export interface WantedWindow {
  /** null, or in the past: at once */
  readonly startsAt: Instant | null
  /** null: the latest that is allowed until healthy */
  readonly endsAt: Instant | null
  readonly untilHealthy: boolean
}

/** @returns the window, or what to change in words without a full stop, with the names of the API's fields */
export function windowOf({ startsAt, endsAt, untilHealthy }: WantedWindow, now: Instant): SilenceWindow | string {
  const start = later(now, startsAt)
  if (isBefore(addSeconds(now, AHEAD_SECONDS_MAX), start)) return 'starts_at is more than 365 days ahead'
  const last = addSeconds(start, untilHealthy ? UNTIL_HEALTHY_SECONDS_MAX : SILENCE_SECONDS_MAX)
  const end = endsAt ?? (untilHealthy ? last : null)
  if (end === null) return 'ends_at is missing: give an end, or set until_healthy'
  if (isAtOrAfter(now, end)) return 'ends_at is in the past'
  if (isAtOrAfter(start, end)) return 'ends_at is not after starts_at'
  if (isBefore(last, end)) return tooLongWords(untilHealthy)
  return { startsAt: start, endsAt: end, untilHealthy }
}

function tooLongWords(untilHealthy: boolean): string {
  return untilHealthy
    ? 'ends_at is more than 7 days after the start: a silence until healthy has an end before that'
    : 'ends_at is more than 30 days after the start'
}
