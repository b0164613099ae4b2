/** Punctuality: whether runs happened at the expected times. */
import { addSeconds, earlier, type Instant, isBefore } from '../../lib/time.ts'
import type { WatchedCheck } from './check.ts'
import { endsWithPause, RUNS_KEPT } from './run-history.ts'
import { passedSlots } from './slots.ts'
import { expectedIfReadable, statusAt, watchedSince } from './status.ts'

interface Punctuality {
  /** true: the run began later than its slot by more than the grace time, or took longer than the grace time */
  readonly isLate: boolean
  /** number of expected runs that did not happen before this one; at most {@link RUNS_KEPT} */
  readonly missed: number
}

/** Maximum number of slots to count, including the run's own. */
const COUNTED = RUNS_KEPT + 1

const ON_TIME: Punctuality = { isLate: false, missed: 0 }

/**
 * Judges the run that just ended with a success or failure. The run belongs to the last slot before it began. Earlier slots since the
 * previous success or failure count as missed. A run is never considered late or missing because of a server outage.
 * @param check the check before the ping
 * @param startedAt the start of the run; null: none was reported
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
  // If there were too many slots to count, the last counted slot is not the last one that passed.
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

/** Whether no slot has passed yet. This quick test is enough for most pings of a simple check. */
function isBeforeFirstSlot({ kind, timeoutSeconds, lastPingAt }: WatchedCheck, now: Instant): boolean {
  if (kind !== 'simple' || lastPingAt === null) return false
  return now.epochMilliseconds - lastPingAt.epochMilliseconds < timeoutSeconds * 1_000
}

/**
 * Returns how many runs are missing at `now`, at most {@link RUNS_KEPT}: runs that were expected before the current run began, or since the
 * last success or failure if no run is under way. A run counts as missing only after its grace time.
 * @param expected see `statusAt`
 */
export function missingRuns(check: WatchedCheck, now: Instant, expected = expectedIfReadable(check)): number {
  const anchor = silentSince(check)
  // The function returns here for most checks in a list, before their schedules are parsed.
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
  // The additional time after an outage was meant for the run that was due during the outage.
  return sparedUntil === null ? count : Math.max(1, count)
}

/** Returns the latest due time of a run that counts as missing at `now`: one grace time earlier. */
export function givenUpUntil({ graceSeconds }: Pick<WatchedCheck, 'graceSeconds'>, now: Instant): Instant {
  return addSeconds(now, -graceSeconds)
}

/**
 * Returns the time from which runs are expected, in milliseconds since 1970. Null if no runs are expected, because there has been no
 * success or failure since the check was created or paused, and no user has started monitoring it.
 */
function silentSince(check: WatchedCheck): number | null {
  const { status, lastPingAt, lastStartAt, runs } = check
  if (status === 'new' || status === 'paused' || (lastPingAt !== null && endsWithPause(runs))) return null
  // The check's first run began but did not end in time, so no run was ever expected.
  if (lastPingAt === null && status === 'down' && lastStartAt !== null) return null
  return watchedSince(check)?.epochMilliseconds ?? null
}

/**
 * Whether runs are expected, so that a run can be late, missing or extra. False before the first success or failure, and from a pause until
 * the next success or failure.
 */
export function isExpecting(check: WatchedCheck): boolean {
  return silentSince(check) !== null
}

/**
 * Counts the slots up to `until`, excluding the last one.
 * @param passed number of slots since the anchor
 */
function missedBefore(check: WatchedCheck, anchor: number, until: number, passed: number): number {
  if (check.sparedUntil === null) return passed - 1
  const from = Math.max(anchor, check.sparedUntil.epochMilliseconds)
  return Math.max(0, passedSlots(check, anchor, { from, until }, COUNTED).count - 1)
}
