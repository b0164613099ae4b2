/** Whether runs happened when they were expected. */
import { earlier, type Instant, isBefore, toMicroseconds } from '../../lib/time.ts'
import type { WatchedCheck } from './check.ts'
import { endsWithPause, RUNS_KEPT } from './run-history.ts'
import { countSlots } from './slots.ts'
import { expectedIfReadable, statusAt } from './status.ts'

export interface Punctuality {
  /** It came, or took, longer than the grace time. */
  readonly isLate: boolean
  /** how many runs before it were expected and did not happen; at most {@link RUNS_KEPT} */
  readonly missed: number
}

const ON_TIME: Punctuality = { isLate: false, missed: 0 }

/**
 * Of a run that a success or failure ends now. It answers the last slot that passed before it began; the slots before that one, after
 * the success or failure before it, are missed. Silence during an outage of our own is not held against it.
 * @param check as it was before
 * @param startedAt the pending start that it clears, if there is one
 */
export function punctuality(check: WatchedCheck, startedAt: Instant | null, now: Instant): Punctuality {
  if (startedAt === null && isBeforeFirstSlot(check, now)) return ON_TIME
  const end = toMicroseconds(now)
  const began = startedAt === null ? end : Math.min(end, toMicroseconds(startedAt))
  const grace = check.graceSeconds * 1_000_000
  const isLong = startedAt !== null && end - began >= grace
  const anchor = silentSince(check)
  const hasSlot = anchor !== null && countSlots(check, anchor, { from: anchor, until: began }, 1) > 0
  if (!hasSlot && !isLong) return ON_TIME
  const isOverdue =
    hasSlot && countSlots(check, anchor, { from: Math.max(anchor, began - grace), until: began }, 1) === 0
  const isSpared = check.sparedUntil !== null && end < toMicroseconds(check.sparedUntil)
  return { isLate: (isLong || isOverdue) && !isSpared, missed: hasSlot ? missedBefore(check, anchor, began) : 0 }
}

/** True for most pings of a simple check, and quick to find out. */
function isBeforeFirstSlot({ kind, timeoutSeconds, lastPingAt }: WatchedCheck, now: Instant): boolean {
  if (kind !== 'simple' || lastPingAt === null) return false
  return now.epochMilliseconds - lastPingAt.epochMilliseconds < timeoutSeconds * 1_000
}

/**
 * How many runs are missing at `now`, at most {@link RUNS_KEPT}: those before a pending start, or before a late run that may still come,
 * and all since the last success or failure if the check is down.
 * @param expected see `statusAt`
 */
export function missingRuns(check: WatchedCheck, now: Instant, expected = expectedIfReadable(check)): number {
  const anchor = silentSince(check)
  // Most checks of a list: told without a look at their schedules.
  if (anchor === null || (expected !== null && isBefore(now, expected))) return 0
  const until = toMicroseconds(earlier(now, check.lastStartAt) ?? now)
  if (countSlots(check, anchor, { from: anchor, until }, 1) === 0) return 0
  const missed = missedBefore(check, anchor, until)
  const isGivenUp = check.lastStartAt === null && statusAt(check, now, expected) === 'down'
  return isGivenUp ? Math.min(RUNS_KEPT, missed + 1) : missed
}

/** Microseconds; null while nothing is expected: before the first success or failure, and from a pause until the next one. */
function silentSince({ status, lastPingAt, runs }: WatchedCheck): number | null {
  if (lastPingAt === null || status === 'new' || status === 'paused' || endsWithPause(runs)) return null
  return toMicroseconds(lastPingAt)
}

/** All slots up to `until` but the last. */
function missedBefore(check: WatchedCheck, anchor: number, until: number): number {
  const from = check.sparedUntil === null ? anchor : Math.max(anchor, toMicroseconds(check.sparedUntil))
  return Math.max(0, countSlots(check, anchor, { from, until }, RUNS_KEPT + 1) - 1)
}
