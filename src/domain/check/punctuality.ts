/** The punctuality of runs: whether they happened at their expected times. */
import { addSeconds, earlier, type Instant, isBefore } from '../../lib/time.ts'
import type { WatchedCheck } from './check.ts'
import { endsWithPause, RUNS_KEPT } from './run-history.ts'
import { passedSlots } from './slots.ts'
import { expectedIfReadable, statusAt, watchedSince } from './status.ts'

interface Punctuality {
  /** true: the run began more than the grace time after its slot, or took longer than that */
  readonly isLate: boolean
  /** number of expected runs before it that did not happen, at most {@link RUNS_KEPT} */
  readonly missed: number
}

/** Counted slots, including the one that belongs to the run itself. */
const COUNTED = RUNS_KEPT + 1

const ON_TIME: Punctuality = { isLate: false, missed: 0 }

/**
 * Judges the run that a success or failure ends now. The run answers the last slot before it began; earlier slots since the previous
 * success or failure are missed. Time in an outage of this server makes no run late or missing.
 * @param check the check before the ping
 * @param startedAt the pending start that the ping clears; null: none
 */
export function punctuality(check: WatchedCheck, startedAt: Instant | null, now: Instant): Punctuality {
  if (startedAt === null && isBeforeFirstSlot(check, now)) return ON_TIME
  const end = now.epochMilliseconds
  const began = startedAt === null ? end : Math.min(end, startedAt.epochMilliseconds)
  const grace = check.graceSeconds * 1_000
  const isLong = startedAt !== null && end - began >= grace
  const anchor = silentSince(check)
  const passed = anchor === null ? null : passedSlots(check, anchor, { from: anchor, until: began }, COUNTED)
  if (anchor === null || passed === null || passed.last === null) return isLong ? unlessSpared(check, 0, end) : ON_TIME
  const missed = missedBefore(check, anchor, began, passed.count)
  // If there were too many slots, the last counted one isn't the last that passed.
  const { last } =
    passed.count < COUNTED
      ? passed
      : passedSlots(check, anchor, { from: Math.max(anchor, began - grace), until: began }, 1)
  const isOverdue = last === null || last <= began - grace
  return isLong || isOverdue ? unlessSpared(check, missed, end) : { isLate: false, missed }
}

function unlessSpared({ sparedUntil }: WatchedCheck, missed: number, end: number): Punctuality {
  return { isLate: sparedUntil === null || end >= sparedUntil.epochMilliseconds, missed }
}

/** Tests quickly whether no slot has passed, which is true for most pings of a simple check. */
function isBeforeFirstSlot({ kind, timeoutSeconds, lastPingAt }: WatchedCheck, now: Instant): boolean {
  if (kind !== 'simple' || lastPingAt === null) return false
  return now.epochMilliseconds - lastPingAt.epochMilliseconds < timeoutSeconds * 1_000
}

/**
 * Returns the number of runs missing at `now`, at most {@link RUNS_KEPT}: runs before a pending start, or runs since the last success or
 * failure whose grace time is over. A run still in its grace time is not missing yet.
 * @param expected see `statusAt`
 */
export function missingRuns(check: WatchedCheck, now: Instant, expected = expectedIfReadable(check)): number {
  const anchor = silentSince(check)
  // Most checks of a list end here, without reading their schedules.
  if (anchor === null || (expected !== null && isBefore(now, expected))) return 0
  if (check.lastStartAt === null) return givenUpRuns(check, anchor, now, expected)
  const until = (earlier(now, check.lastStartAt) ?? now).epochMilliseconds
  const { count } = passedSlots(check, anchor, { from: anchor, until }, COUNTED)
  return count === 0 ? 0 : missedBefore(check, anchor, until, count)
}

function givenUpRuns(check: WatchedCheck, anchor: number, now: Instant, expected: Instant | null): number {
  if (statusAt(check, now, expected) !== 'down') return 0
  const { sparedUntil } = check
  const until = givenUpUntil(check, now).epochMilliseconds
  const from = sparedUntil === null ? anchor : Math.max(anchor, sparedUntil.epochMilliseconds)
  const { count } = passedSlots(check, anchor, { from, until }, RUNS_KEPT)
  // The extra time after an outage applied to the run that was due in it.
  return sparedUntil === null ? count : Math.max(1, count)
}

/** Returns the time until which an expected run that did not happen is missing at `now`. */
export function givenUpUntil({ graceSeconds }: Pick<WatchedCheck, 'graceSeconds'>, now: Instant): Instant {
  return addSeconds(now, -graceSeconds)
}

/**
 * Returns the time from which runs are expected, in milliseconds since 1970. Null while none is expected: before the first success or
 * failure, and from a pause until the next one, or until a person has the check monitored.
 */
function silentSince(check: WatchedCheck): number | null {
  const { status, lastPingAt, lastStartAt, runs } = check
  if (status === 'new' || status === 'paused' || (lastPingAt !== null && endsWithPause(runs))) return null
  // A first run that did not end in time was never expected.
  if (lastPingAt === null && status === 'down' && lastStartAt !== null) return null
  return watchedSince(check)?.epochMilliseconds ?? null
}

/** False before the first success or failure, and from a pause until the next one: during that time no run is late, missing or extra. */
export function isExpecting(check: WatchedCheck): boolean {
  return silentSince(check) !== null
}

/** Counts all slots up to `until` except the last. @param passed number of slots since the anchor */
function missedBefore(check: WatchedCheck, anchor: number, until: number, passed: number): number {
  if (check.sparedUntil === null) return passed - 1
  const from = Math.max(anchor, check.sparedUntil.epochMilliseconds)
  return Math.max(0, passedSlots(check, anchor, { from, until }, COUNTED).count - 1)
}
