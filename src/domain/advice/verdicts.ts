/** Verdicts on the runs in a log, based on the check's timing or on a trial timing. All times and durations are in milliseconds. */
import { atOnce } from '../../lib/work/at-once.ts'
import type { ReplayTiming } from '../preview/replay.ts'
import type { Stretch } from '../stretch.ts'
import { SECOND } from '../units.ts'
import { isInterrupted, type Run } from './runs.ts'
import { lastSlot, slotsPassed } from './slots-passed.ts'

export interface Verdict {
  readonly run: Run
  /** number of slots since the previous run ended; a schedule's slots are counted only up to a limit */
  readonly passed: number
  /** number of missed slots before the run's own slot */
  readonly missed: number
  /** time from the run's slot to the start of the run; 0 if no slot has passed */
  readonly delay: number
  readonly isLate: boolean
  /** true: a success that was not expected and is not a retry of a failed run */
  readonly isExtra: boolean
  /** true: the run is late or extra */
  readonly isHard: boolean
  /** the shortest grace time that would have been long enough */
  readonly need: number
}

interface Judged {
  readonly changedAt: number
  readonly away: readonly Stretch[]
}

/**
 * Returns a verdict on each run that counts, oldest first. A run counts if the previous run ended after the last change of settings, with
 * no pause or outage in between.
 * @param runs oldest first
 */
export function verdictsOf(timing: ReplayTiming, runs: readonly Run[], judged: Judged): readonly Verdict[] {
  return atOnce(verdictsInSteps(timing, runs, judged))
}

/** Like {@link verdictsOf}, but yields after each run. */
export function* verdictsInSteps(
  timing: ReplayTiming,
  runs: readonly Run[],
  { changedAt, away }: Judged,
): Generator<void, readonly Verdict[]> {
  const verdicts: Verdict[] = []
  for (const [index, run] of runs.entries()) {
    const previous = runs[index - 1]
    if (previous === undefined) {
      if (run.ended > changedAt) verdicts.push(...firstVerdict(timing, run))
    } else if (previous.ended > changedAt && !isInterrupted(away, previous.ended, run.ended)) {
      verdicts.push(timing.kind === 'simple' ? byPeriod(timing, previous, run) : bySchedule(timing, previous, run))
    }
    yield
  }
  return verdicts
}

/**
 * Returns the verdict on the first run. It can't be judged against a period, because there is no earlier run. It can be judged against a
 * schedule, but the number of missed slots is unknown.
 */
function firstVerdict(timing: ReplayTiming, run: Run): readonly Verdict[] {
  const slot = timing.kind === 'simple' ? null : lastSlot(timing, run.began)
  return slot === null ? [] : [verdict(timing, run, { passed: 1, delay: run.began - slot, isExtra: false })]
}

/** Judges a run against a period. The time during which runs were missed counts toward the next run's delay, so that run is late too. */
function byPeriod(timing: ReplayTiming, previous: Run, run: Run): Verdict {
  const period = timing.timeoutSeconds * SECOND
  const silence = Math.max(0, run.began - previous.ended)
  const delay = Math.max(0, silence - period)
  return verdict(timing, run, { passed: Math.floor(silence / period), delay, isExtra: false })
}

function bySchedule(timing: ReplayTiming, previous: Run, run: Run): Verdict {
  const { count, last } = slotsPassed(timing, previous.ended, run.began)
  const isExtra = count === 0 && !run.hasFailed && !previous.hasFailed
  return verdict(timing, run, { passed: count, delay: last === null ? 0 : run.began - last, isExtra })
}

function verdict(
  { graceSeconds }: ReplayTiming,
  run: Run,
  { passed, delay, isExtra }: Pick<Verdict, 'passed' | 'delay' | 'isExtra'>,
): Verdict {
  const grace = graceSeconds * SECOND
  const took = run.duration ?? 0
  const isLate = (passed > 0 && delay >= grace) || took >= grace
  const need = Math.max(delay, took)
  return { run, passed, missed: Math.max(0, passed - 1), delay, isLate, isExtra, isHard: isLate || isExtra, need }
}

/** Whether a run was on time for a slot. */
export function isOnTime({ passed, isHard }: Verdict): boolean {
  return passed > 0 && !isHard
}

/** Returns the delays of the runs that had a slot. A retry does not have a slot. */
export function delaysOf(verdicts: readonly Verdict[]): readonly number[] {
  return verdicts.filter(({ passed }) => passed > 0).map(({ delay }) => delay)
}

/** Returns the number of late and extra runs. */
export function hardOf(verdicts: readonly Verdict[]): number {
  return verdicts.filter(({ isHard }) => isHard).length
}

/** Returns the number of missed slots. */
export function missedOf(verdicts: readonly Verdict[]): number {
  return verdicts.reduce((sum, { missed }) => sum + missed, 0)
}
