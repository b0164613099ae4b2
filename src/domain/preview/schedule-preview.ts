/** Shows what a timing means before it is saved: when runs are expected, and whether the check's last runs would have been on time. */
import { addSeconds, fromSeconds, type Instant, isBefore, isoMicroseconds, isoSeconds } from '../../lib/time.ts'
import { applySpec, type CheckSpec, newCheck } from '../check/check.ts'
import { nextSlots, type Timing } from '../check/slots.ts'
import { requireSchedule } from '../schedule/typed/required-schedule.ts'
import type { ClockChange } from './clock-changes.ts'
import type { JudgedRun, Replay, ReplayTiming } from './replay.ts'

/** The fields of a check that determine when the check is late. */
export type TimingSpec = Pick<CheckSpec, 'timeout' | 'grace' | 'schedule' | 'tz'>

/** Provides default values for omitted fields. */
const UNSAVED = newCheck({ id: '', projectId: '', badgeKey: '', publicId: '', createdAt: fromSeconds(0) })

/**
 * Returns a timing with some fields changed.
 * @param present null if the check does not exist yet
 * @param spec its `schedule` may be any string; its other fields must be valid
 * @throws Refusal `schedule-invalid`, with the position of the mistake; `tz-invalid` if the stored zone is not in the time zone data
 */
export function changedTiming(present: ReplayTiming | null, spec: TimingSpec): ReplayTiming {
  const timing = applySpec({ ...UNSAVED, ...present }, spec, false)
  if (timing.kind !== 'simple') requireSchedule(timing.schedule, timing.tz)
  return timingOf(timing)
}

/**
 * Returns only the timing. A complete check would also be accepted as a timing, but then its current state would replace its past state.
 */
export function timingOf({ kind, timeoutSeconds, schedule, tz, graceSeconds }: ReplayTiming): ReplayTiming {
  return { kind, timeoutSeconds, schedule, tz, graceSeconds }
}

/**
 * Returns the next times at which runs are expected. A period starts at the last success or failure. If there was none, or if the next run
 * is already overdue, the period starts now.
 */
export function upcoming(timing: Timing, lastPingAt: Instant | null, now: Instant, count: number): readonly Instant[] {
  const isAwaited =
    timing.kind === 'simple' && lastPingAt !== null && isBefore(now, addSeconds(lastPingAt, timing.timeoutSeconds))
  return nextSlots(timing, isAwaited ? lastPingAt : now, count)
}

/** Converts a clock change to the form used by the API and the command line. */
export function representClockChange({ at, before, after, isForward, effect, words }: ClockChange) {
  return { date: isoSeconds(at), before, after, forward: isForward, effect, words }
}

export function representReplay({ runs, onTime, late, missing, extra, failed }: Replay) {
  return { runs: runs.map(representRun), on_time: onTime, late, missing, extra, failed }
}

function representRun({ kind, at, n, delay }: JudgedRun) {
  return { kind, date: isoMicroseconds(at), n, delay: delay === null ? null : Math.round(delay / 10_000) / 100 }
}
