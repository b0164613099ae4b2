/** What a timing means, before it is saved, and how the last runs of a check would have been judged by it. */
import { addSeconds, fromSeconds, type Instant, isBefore, isoMicroseconds, isoSeconds } from '../../lib/time.ts'
import { applySpec, type Check, type CheckSpec, newCheck } from '../check/check.ts'
import { nextSlots, type Timing } from '../check/slots.ts'
import { requireSchedule } from '../schedule/typed/required-schedule.ts'
import type { ClockChange } from './clock-changes.ts'
import type { JudgedRun, Replay, ReplayTiming } from './replay.ts'
import type { Suggestion } from './rhythm.ts'

/** The fields of a check that say when it is late. */
export type TimingSpec = Pick<CheckSpec, 'timeout' | 'grace' | 'schedule' | 'tz'>

/** Whose defaults hold for what is left out. */
const UNSAVED = newCheck({ id: '', projectId: '', badgeKey: '', publicId: '', createdAt: fromSeconds(0) })

/**
 * The timing of a check with some fields changed.
 * @param check null for one that does not exist yet
 * @param spec whose `schedule` may be any text; the other fields are valid
 * @throws Refusal `schedule-invalid`, with the place of the mistake; `tz-invalid` for a stored zone that is not in the zone data
 */
export function changedTiming(check: Check | null, spec: TimingSpec): ReplayTiming {
  const timing = applySpec(check ?? UNSAVED, spec, false)
  if (timing.kind !== 'simple') requireSchedule(timing.schedule, timing.tz)
  return timing
}

/**
 * The next times at which runs are expected. A period counts from the last success or failure; when the run after that one is overdue,
 * or there is none, it counts from now.
 */
export function upcoming(timing: Timing, lastPingAt: Instant | null, now: Instant, count: number): readonly Instant[] {
  const isAwaited =
    timing.kind === 'simple' && lastPingAt !== null && isBefore(now, addSeconds(lastPingAt, timing.timeoutSeconds))
  return nextSlots(timing, isAwaited ? lastPingAt : now, count)
}

/** As the API and the command line show it. */
export function representClockChange({ at, before, after, isForward, effect, words }: ClockChange) {
  return { date: isoSeconds(at), before, after, forward: isForward, effect, words }
}

export function representReplay({ runs, onTime, late, missing, extra, failed }: Replay) {
  return { runs: runs.map(representRun), on_time: onTime, late, missing, extra, failed }
}

function representRun({ kind, at, n, delay }: JudgedRun) {
  return { kind, date: isoMicroseconds(at), n, delay: delay === null ? null : Math.round(delay / 10_000) / 100 }
}

/** Its timing has the names of the fields that change a check. */
export function representSuggestion({ timing, words, fits, of }: Suggestion) {
  const { kind, timeoutSeconds, schedule, tz, graceSeconds: grace } = timing
  return { ...(kind === 'simple' ? { timeout: timeoutSeconds } : { schedule, tz }), grace, words, fits, of }
}
