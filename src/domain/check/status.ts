/** A check's status at a given time, and the time of its next change. At the exact time of a change, the new status already applies. */

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

/** Returns the time of the next expected success; null if the check is not up, or its OnCalendar schedule has ended. */
export function expectedAt(check: StatusFields): Instant | null {
  const since = watchedSince(check)
  if (check.status !== 'up' || since === null) return null
  if (check.kind === 'simple') return addSeconds(since, check.timeoutSeconds)
  return nextAfter(check.schedule, check.tz, since)
}

/**
 * Returns the time from which runs are expected: the last success or failure, or the time at which a user started monitoring the check
 * without a ping.
 */
export function watchedSince({
  lastPingAt,
  sparedUntil,
}: Pick<StatusFields, 'lastPingAt' | 'sparedUntil'>): Instant | null {
  return lastPingAt ?? sparedUntil
}

/**
 * Like {@link expectedAt}, but returns null if the stored schedule is no longer valid, for example because its zone was removed from the
 * time zone data. One such check must not hide other checks.
 */
export function expectedIfReadable(check: StatusFields): Instant | null {
  try {
    return expectedAt(check)
  } catch {
    return null
  }
}

/**
 * Returns when the grace time begins, called `next_ping` in the API: the expected time or the start of the current run, whichever is
 * earlier. While a run is under way, it is in the past.
 */
export function nextPingAt(check: WatchedCheck, expected = expectedAt(check)): Instant | null {
  // A check that is down has already timed out, so its current run can't time out again.
  return check.status === 'down' ? null : earlier(expected, check.lastStartAt)
}

/** Returns when the check goes down unless a ping arrives; null if it can't go down without a ping. */
export function deadline(check: WatchedCheck, expected = expectedAt(check)): Instant | null {
  const start = nextPingAt(check, expected)
  return start === null ? null : graceEndsAt(check, start)
}

/** Returns the end of the grace time that begins at `start`, but not before `sparedUntil`. */
function graceEndsAt(check: StatusFields, start: Instant): Instant {
  return later(addSeconds(start, check.graceSeconds), check.sparedUntil)
}

/** Whether there is a start signal that has not been followed by a success or failure yet, even if the run has timed out. */
export function isStarted(check: WatchedCheck): boolean {
  return check.lastStartAt !== null
}

/** Whether the current run has been under way for longer than the grace time. */
export function isRunOverdue(check: StatusFields, now: Instant): boolean {
  return check.lastStartAt !== null && isAtOrAfter(now, graceEndsAt(check, check.lastStartAt))
}

/** Returns the status to show at `now`. The result is correct even if the loop has not written the flip yet. */
export function statusAt(check: StatusFields, now: Instant, expected = expectedAt(check)): Status {
  if (isRunOverdue(check, now)) return 'down'
  if (check.status !== 'up') return check.status
  if (expected === null || isBefore(now, expected)) return 'up'
  return isBefore(now, graceEndsAt(check, expected)) ? 'grace' : 'down'
}

/** Returns the next time at which the status changes without a ping; null if it never does. */
export function nextStatusChange(check: StatusFields, now: Instant, expected: Instant | null): Instant | null {
  const graceEnd = check.status === 'up' && expected !== null ? graceEndsAt(check, expected) : null
  const runEnd = check.lastStartAt && graceEndsAt(check, check.lastStartAt)
  const ahead = (instant: Instant | null) => (instant !== null && isBefore(now, instant) ? instant : null)
  return earlier(ahead(expected) ?? ahead(graceEnd), ahead(runEnd))
}

/** Returns the timeout flip that is due at `now`; null before the deadline. The flip's time is the deadline, even if the loop runs late. */
export function flipIfOverdue(check: WatchedCheck, now: Instant): Flipped | null {
  const due = deadline(check)
  return due === null || isBefore(now, due) ? null : flipTo(check, 'down', 'timeout', due)
}

/**
 * Maximum additional time after an outage, in seconds. Clients retry within minutes, so a check with a longer grace time doesn't need all
 * of it.
 */
export const SPARED_SECONDS_MAX = 900

/**
 * Gives a check additional time if its deadline passed during a server outage, when no ping could arrive: one grace time from now, at most
 * 15 minutes. Returns null if the deadline has not passed. Also returns null if the check is monitored without ever having had a ping.
 * Otherwise, the additional time would look like the start of monitoring, and the missing run would never be reported.
 */
export function spareIfOverdue(check: WatchedCheck, now: Instant): WatchedCheck | null {
  const due = deadline(check)
  if (due === null || isBefore(now, due) || isWatchedBySparing(check)) return null
  return { ...check, sparedUntil: addSeconds(now, Math.min(check.graceSeconds, SPARED_SECONDS_MAX)) }
}

/** Whether a check is up without ever having had a ping or a start, so that runs are expected from its `sparedUntil`. */
function isWatchedBySparing({ status, lastPingAt, lastStartAt }: WatchedCheck): boolean {
  return status === 'up' && lastPingAt === null && lastStartAt === null
}

/**
 * Returns when the loop must examine a check: at or before its deadline. If a ping moves the deadline to a later time, this value stays the
 * same, so that pings don't have to update the loop's index. The loop updates the value later.
 * @param current the stored value; the same object is returned if it is still valid
 */
export function alertAfter(check: WatchedCheck, current: Instant | null): Instant | null {
  const due = deadline(check)
  if (due === null || current === null) return due
  return Temporal.Instant.compare(current, due) <= 0 ? current : due
}
