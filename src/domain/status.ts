/** Status of a check at an instant, and when it next has to be judged. Boundaries belong to the later state. */
import type { StoredStatus, WatchedCheck } from './check.ts'
import { type Flipped, flipTo } from './flip.ts'
import { nextAfter } from './schedule.ts'
import { addSeconds, earlier, type Instant, isAtOrAfter, isBefore, later, Temporal } from './time.ts'

export type Status = StoredStatus | 'grace'

/** As much of a check as its status follows from. */
export type StatusFacts = Pick<
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

/** When the next success is expected; null unless the check is up, or when its OnCalendar schedule has ended. */
export function expectedAt(check: StatusFacts): Instant | null {
  if (check.status !== 'up' || check.lastPingAt === null) return null
  if (check.kind === 'simple') return addSeconds(check.lastPingAt, check.timeoutSeconds)
  return nextAfter(check.schedule, check.tz, check.lastPingAt)
}

/**
 * As {@link expectedAt}; null also for a stored schedule that can no longer be read, as when its zone has left the zone data:
 * one such check must not hide the others.
 */
export function expectedIfReadable(check: StatusFacts): Instant | null {
  try {
    return expectedAt(check)
  } catch {
    return null
  }
}

/**
 * When the grace time begins to run, which is the `next_ping` of the API: at the expected time or at a pending start,
 * whichever is earlier; in the past while a run is under way.
 */
export function nextPingAt(check: WatchedCheck, expected = expectedAt(check)): Instant | null {
  // A check that is down has been judged already; its pending start is not judged again.
  return check.status === 'down' ? null : earlier(expected, check.lastStartAt)
}

/** When the check goes down unless something arrives before; null when time alone cannot bring it down. */
export function deadline(check: WatchedCheck, expected = expectedAt(check)): Instant | null {
  const start = nextPingAt(check, expected)
  return start === null ? null : graceEndsAt(check, start)
}

/** A grace span after `start`; after an outage of our own not before the check has had its time since. */
function graceEndsAt(check: StatusFacts, start: Instant): Instant {
  return later(addSeconds(start, check.graceSeconds), check.sparedUntil)
}

/** True while a start waits for its success or failure; stays true after it has timed out. */
export function isStarted(check: WatchedCheck): boolean {
  return check.lastStartAt !== null
}

/** True when a start waits for longer than the grace time. */
export function isRunOverdue(check: StatusFacts, now: Instant): boolean {
  return check.lastStartAt !== null && isAtOrAfter(now, graceEndsAt(check, check.lastStartAt))
}

/** What to show at `now`: right also in the second before the loop has written the flip down. */
export function statusAt(check: StatusFacts, now: Instant, expected = expectedAt(check)): Status {
  if (isRunOverdue(check, now)) return 'down'
  if (check.status !== 'up') return check.status
  if (expected === null || isBefore(now, expected)) return 'up'
  return isBefore(now, graceEndsAt(check, expected)) ? 'grace' : 'down'
}

/** The next instant at which time alone changes what is shown of the check; null when it never does. */
export function nextStatusChange(check: StatusFacts, now: Instant, expected: Instant | null): Instant | null {
  const graceEnd = check.status === 'up' && expected !== null ? graceEndsAt(check, expected) : null
  const runEnd = check.lastStartAt && graceEndsAt(check, check.lastStartAt)
  const ahead = (instant: Instant | null) => (instant !== null && isBefore(now, instant) ? instant : null)
  return earlier(ahead(expected) ?? ahead(graceEnd), ahead(runEnd))
}

/**
 * The flip that silence owes at `now`, dated to the deadline itself however late the loop looks; null when the check is
 * not overdue.
 */
export function flipIfOverdue(check: WatchedCheck, now: Instant): Flipped | null {
  const due = deadline(check)
  return due === null || isBefore(now, due) ? null : flipTo(check, 'down', 'timeout', due)
}

/** A client that tries again after an outage does so within minutes; a check with a longer grace need not wait for it all. */
export const SPARED_SECONDS_MAX = 900

/**
 * What an outage of our own makes of a check whose deadline passed meanwhile: nobody listened, so it gets one grace span
 * from now, 15 minutes at most, before silence counts. Null for a check whose deadline is still ahead.
 */
export function spareIfOverdue(check: WatchedCheck, now: Instant): WatchedCheck | null {
  const due = deadline(check)
  if (due === null || isBefore(now, due)) return null
  return { ...check, sparedUntil: addSeconds(now, Math.min(check.graceSeconds, SPARED_SECONDS_MAX)) }
}

/**
 * The instant under which the loop finds a check. It may be earlier than the true deadline, never later: a ping that moves
 * the deadline away leaves it alone, so that pings do not write to the loop's index; the loop looks, and moves it on.
 * @param current what is stored now; the same object is returned where it stays
 */
export function alertAfter(check: WatchedCheck, current: Instant | null): Instant | null {
  const due = deadline(check)
  if (due === null || current === null) return due
  return Temporal.Instant.compare(current, due) <= 0 ? current : due
}
