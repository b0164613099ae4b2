/** The meaning of a timing before it is saved, and its judgement of the last runs of a check. */
import { addSeconds, fromSeconds, type Instant, isBefore, isoMicroseconds, isoSeconds } from '../../lib/time.ts'
import { applySpec, type CheckSpec, newCheck } from '../check/check.ts'
import { nextSlots, type Timing } from '../check/slots.ts'
import { requireSchedule } from '../schedule/typed/required-schedule.ts'
import type { ClockChange } from './clock-changes.ts'
import type { JudgedRun, Replay, ReplayTiming } from './replay.ts'

/** The fields of a check that decide when it is late. */
export type TimingSpec = Pick<CheckSpec, 'timeout' | 'grace' | 'schedule' | 'tz'>

/** Provides the defaults for omitted fields. */
const UNSAVED = newCheck({ id: '', projectId: '', badgeKey: '', publicId: '', createdAt: fromSeconds(0) })

/**
 * Returns a timing with some fields changed.
 * @param present null for a check that does not exist yet
 * @param spec its `schedule` may be any text; the other fields are valid
 * @throws Refusal `schedule-invalid`, with the place of the mistake; `tz-invalid` for a stored zone that is not in the zone data
 */
export function changedTiming(present: ReplayTiming | null, spec: TimingSpec): ReplayTiming {
  const timing = applySpec({ ...UNSAVED, ...present }, spec, false)
  if (timing.kind !== 'simple') requireSchedule(timing.schedule, timing.tz)
  return timingOf(timing)
}

/** Returns only the timing. A whole check is also a timing, but its state must not replace that of the past. */
export function timingOf({ kind, timeoutSeconds, schedule, tz, graceSeconds }: ReplayTiming): ReplayTiming {
  return { kind, timeoutSeconds, schedule, tz, graceSeconds }
}

/**
 * Returns the next times at which runs are expected. A period counts from the last success or failure. If the next run is overdue already,
 * or there was neither, it counts from now.
 */
export function upcoming(timing: Timing, lastPingAt: Instant | null, now: Instant, count: number): readonly Instant[] {
  const isAwaited =
    timing.kind === 'simple' && lastPingAt !== null && isBefore(now, addSeconds(lastPingAt, timing.timeoutSeconds))
  return nextSlots(timing, isAwaited ? lastPingAt : now, count)
}

/** Returns the form in which the API and the command line show a clock change. */
export function representClockChange({ at, before, after, isForward, effect, words }: ClockChange) {
  return { date: isoSeconds(at), before, after, forward: isForward, effect, words }
}

export function representReplay({ runs, onTime, late, missing, extra, failed }: Replay) {
  return { runs: runs.map(representRun), on_time: onTime, late, missing, extra, failed }
}

function representRun({ kind, at, n, delay }: JudgedRun) {
  return { kind, date: isoMicroseconds(at), n, delay: delay === null ? null : Math.round(delay / 10_000) / 100 }
}
