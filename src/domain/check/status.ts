/** The status of a check at an instant, and when it changes next. An instant on a boundary belongs to the later status. */

import { addSeconds, earlier, type Instant, isAtOrAfter, isBefore, later, Temporal } from '../../lib/time.ts'
import { nextAfter } from '../schedule/schedule.ts'
import type { StoredStatus, WatchedCheck } from './check.ts'
import { type Flipped, flipTo } from './flip.ts'

export type Status = StoredStatus | 'grace'

/** The part of a check that determines its status. */
export type StatusFields = Pick<
  WatchedCheck,
  | 'status'
  | 'kind'
  | 'timeoutSeconds'
  | 'graceSeconds'
  | 'schedule'
  | 'tz'
  | 'lastPingAt'
  | 'lastStartAt'
  | 'sparedUntil'
>

/** Returns the time of the next expected success; null unless the check is up, and if its OnCalendar schedule has ended. */
export function expectedAt(check: StatusFields): Instant | null {
  const since = watchedSince(check)
  if (check.status !== 'up' || since === null) return null
  if (check.kind === 'simple') return addSeconds(since, check.timeoutSeconds)
  return nextAfter(check.schedule, check.tz, since)
}

/**
 * Returns the instant after which runs are expected: the last success or failure, or the time at which a person had the check monitored
 * without one.
 */
export function watchedSince({
  lastPingAt,
  sparedUntil,
}: Pick<StatusFields, 'lastPingAt' | 'sparedUntil'>): Instant | null {
  return lastPingAt ?? sparedUntil
}

/**
 * Like {@link expectedAt}, but null for a stored schedule that is no longer valid (its zone may have been removed from the zone data): one
 * such check must not hide the others.
 */
export function expectedIfReadable(check: StatusFields): Instant | null {
  try {
    return expectedAt(check)
  } catch {
    return null
  }
}

/**
 * Returns the beginning of the grace time, `next_ping` in the API: the expected time or a pending start, whichever is earlier. It is in the
 * past while a run is under way.
 */
export function nextPingAt(check: WatchedCheck, expected = expectedAt(check)): Instant | null {
  // A check that is down has timed out already; its pending start can't time out again.
  return check.status === 'down' ? null : earlier(expected, check.lastStartAt)
}

/** Returns the time at which the check goes down unless a ping arrives; null if it never goes down by time alone. */
export function deadline(check: WatchedCheck, expected = expectedAt(check)): Instant | null {
  const start = nextPingAt(check, expected)
  return start === null ? null : graceEndsAt(check, start)
}

/** Returns one grace time after `start`, but not before `sparedUntil`. */
function graceEndsAt(check: StatusFields, start: Instant): Instant {
  return later(addSeconds(start, check.graceSeconds), check.sparedUntil)
}

/** True while a start waits for its success or failure; stays true after it has timed out. */
export function isStarted(check: WatchedCheck): boolean {
  return check.lastStartAt !== null
}

/** Whether a start has waited longer than the grace time. */
export function isRunOverdue(check: StatusFields, now: Instant): boolean {
  return check.lastStartAt !== null && isAtOrAfter(now, graceEndsAt(check, check.lastStartAt))
}

/** Returns the status to show at `now`, correct even before the loop has written the flip. */
export function statusAt(check: StatusFields, now: Instant, expected = expectedAt(check)): Status {
  if (isRunOverdue(check, now)) return 'down'
  if (check.status !== 'up') return check.status
  if (expected === null || isBefore(now, expected)) return 'up'
  return isBefore(now, graceEndsAt(check, expected)) ? 'grace' : 'down'
}

/** Returns the next instant at which time alone changes the shown status; null if it never does. */
export function nextStatusChange(check: StatusFields, now: Instant, expected: Instant | null): Instant | null {
  const graceEnd = check.status === 'up' && expected !== null ? graceEndsAt(check, expected) : null
  const runEnd = check.lastStartAt && graceEndsAt(check, check.lastStartAt)
  const ahead = (instant: Instant | null) => (instant !== null && isBefore(now, instant) ? instant : null)
  return earlier(ahead(expected) ?? ahead(graceEnd), ahead(runEnd))
}

/** Returns the time-out flip that is due at `now`, dated to the deadline however late the loop runs; null before the deadline. */
export function flipIfOverdue(check: WatchedCheck, now: Instant): Flipped | null {
  const due = deadline(check)
  return due === null || isBefore(now, due) ? null : flipTo(check, 'down', 'timeout', due)
}

/** Clients retry within minutes after an outage, so a check with a longer grace time need not wait for all of it. */
export const SPARED_SECONDS_MAX = 900

/**
 * Spares a check whose deadline passed during an outage of the server: no ping could arrive, so it gets one grace time from now, at most 15
 * minutes. Null if the deadline is still ahead, and for a check that is monitored without a ping: later extra time would count as the start
 * of its monitoring, and the missing run would never be reported.
 */
export function spareIfOverdue(check: WatchedCheck, now: Instant): WatchedCheck | null {
  const due = deadline(check)
  if (due === null || isBefore(now, due) || isWatchedBySparing(check)) return null
  return { ...check, sparedUntil: addSeconds(now, Math.min(check.graceSeconds, SPARED_SECONDS_MAX)) }
}

/** Whether a check is up without a ping or a start: it expects runs since its `sparedUntil`. */
function isWatchedBySparing({ status, lastPingAt, lastStartAt }: WatchedCheck): boolean {
  return status === 'up' && lastPingAt === null && lastStartAt === null
}

/**
 * Returns the instant at which the loop examines a check: never later than the deadline, but maybe earlier. A ping that postpones the
 * deadline leaves this instant unchanged, so pings don't write to the loop's index; the loop then updates it.
 * @param current the stored value; the same object is returned if it is unchanged
 */
export function alertAfter(check: WatchedCheck, current: Instant | null): Instant | null {
  const due = deadline(check)
  if (due === null || current === null) return due
  return Temporal.Instant.compare(current, due) <= 0 ? current : due
}
