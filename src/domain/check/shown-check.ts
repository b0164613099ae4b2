/**
 * A check's state at a given time, as shown to users, with related data. Lists, pages, walls, alerts, status pages and commands all use it,
 * so they always agree.
 */
import {
  earlier,
  fromMicroseconds,
  type Instant,
  isBefore,
  microsecondsBetween,
  toMicroseconds,
} from '../../lib/time.ts'
import { startedAt, type WatchedCheck } from './check.ts'
import { endsWithPause } from './run-history.ts'
import { expectedIfReadable, isStarted, nextStatusChange, statusAt } from './status.ts'
import { isSlow, type UsualDuration, usualOf } from './usual-duration.ts'

/** States shown to users. `late`: a ping is overdue. `started`: a run is under way. */
export const SHOWN_STATES = ['new', 'up', 'started', 'late', 'down', 'paused'] as const
export type ShownState = (typeof SHOWN_STATES)[number]

export interface ShownCheck {
  readonly state: ShownState
  /** time of the next expected success; in the past for a late check; null unless the stored status is up */
  readonly expected: Instant | null
  /** usual duration of the current run; null if no run is under way, or too few durations are known */
  readonly usual: UsualDuration | null
  /** true: the current run takes longer than usual */
  readonly isSlow: boolean
  /** true: a user resumed the check and no ping has arrived since, so the check is not monitored */
  readonly isResumed: boolean
}

/**
 * Returns the check as shown at `now`. While a run takes no longer than usual, it also counts for the slots that become due in the
 * meantime, so the check is late only if the run is slow too. A check that is down stays down.
 */
export function showCheck(check: WatchedCheck, now: Instant, expected = expectedIfReadable(check)): ShownCheck {
  const status = statusAt(check, now, expected)
  const isRunning = isStarted(check) && status !== 'down'
  if (!isRunning) {
    const isResumed = status === 'new' && endsWithPause(check.runs)
    return { state: status === 'grace' ? 'late' : status, expected, usual: null, isSlow: false, isResumed }
  }
  const usual = usualOf(check)
  const began = startedAt(check)
  const isLong = began !== null && isSlow(microsecondsBetween(began, now), usual)
  const state = status === 'grace' && isLong ? 'late' : 'started'
  return { state, expected, usual, isSlow: isLong, isResumed: false }
}

/** Returns the next time at which the shown state changes without a ping; null if it never does. */
export function nextShownChange(check: WatchedCheck, now: Instant, expected: Instant | null): Instant | null {
  const began = startedAt(check)
  const usual = began === null ? null : usualOf(check)
  const slow = usual && began && fromMicroseconds(toMicroseconds(began) + Math.floor(usual.longest) + 1)
  return earlier(nextStatusChange(check, now, expected), slow !== null && isBefore(now, slow) ? slow : null)
}
