/** How the runs of a log were judged, or would be. All times and durations are milliseconds. */
import { atOnce } from '../../lib/work/at-once.ts'
import type { ReplayTiming } from '../preview/replay.ts'
import type { Stretch } from '../stretch.ts'
import { SECOND } from '../units.ts'
import { isInterrupted, type Run } from './runs.ts'
import { lastSlot, slotsPassed } from './slots-passed.ts'

export interface Verdict {
  readonly run: Run
  /** slots since the end before it; a few for any larger number */
  readonly passed: number
  /** the slots that it came too late for */
  readonly missed: number
  /** from the slot that it answers to its beginning; 0 where none has passed */
  readonly delay: number
  readonly isLate: boolean
  /** a success for which no run was expected, and which repeats no failed one */
  readonly isExtra: boolean
  /** late or extra */
  readonly isHard: boolean
  /** the grace time that would have sufficed */
  readonly need: number
}

interface Judged {
  readonly changedAt: number
  readonly away: readonly Stretch[]
}

/**
 * One for each run that counts, oldest first: the end before it came after the last change of settings, and nothing lies between that
 * judges nobody.
 * @param runs oldest first
 */
export function verdictsOf(timing: ReplayTiming, runs: readonly Run[], judged: Judged): readonly Verdict[] {
  return atOnce(verdictsInSteps(timing, runs, judged))
}

/** Like {@link verdictsOf}. It yields after each run. */
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

/** Nobody knows what a period would have been counted from, nor how many slots were missed. */
function firstVerdict(timing: ReplayTiming, run: Run): readonly Verdict[] {
  const slot = timing.kind === 'simple' ? null : lastSlot(timing, run.began)
  return slot === null ? [] : [verdict(timing, run, { passed: 1, delay: run.began - slot, isExtra: false })]
}

/** The delay is the whole silence, so a run after missed ones is late, too. */
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

/** Whether a run answered a slot, and soon enough. */
export function isOnTime({ passed, isHard }: Verdict): boolean {
  return passed > 0 && !isHard
}

/** Delays of the runs that answered a slot. A repeated run answers none. */
export function delaysOf(verdicts: readonly Verdict[]): readonly number[] {
  return verdicts.filter(({ passed }) => passed > 0).map(({ delay }) => delay)
}

/** How many runs are late or extra. */
export function hardOf(verdicts: readonly Verdict[]): number {
  return verdicts.filter(({ isHard }) => isHard).length
}

/** How many slots are missed. */
export function missedOf(verdicts: readonly Verdict[]): number {
  return verdicts.reduce((sum, { missed }) => sum + missed, 0)
}
