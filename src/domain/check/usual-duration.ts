/** How long the runs of a check usually take, and from when on one is slow. */
import { median } from '../../lib/figures/statistics.ts'
import { durationWords } from '../../lib/time-words.ts'
import type { WatchedCheck } from './check.ts'
import { INEXACTNESS, isSameStep, runMarks } from './run-history.ts'

/** Microseconds, both inclusive. */
export interface DurationRange {
  readonly low: number
  readonly high: number
}

export interface UsualDuration extends DurationRange {
  /** microseconds; a run that takes longer is slow */
  readonly longest: number
}

/** Fewer runs say nothing of what is usual. */
const RUNS_NEEDED = 5
const DEVIATIONS = 2
/** A run counts as slow from here, as a multiple of the median: runs that all take the same time have a very narrow range. */
const SLOW_FROM = 1.25

/**
 * What is usual of the runs that a check has kept. Lists and pages, sentences and charts all go by it. The run under way is not among them,
 * as the history has only what ended. Null for fewer than five runs whose durations are known.
 */
export function usualOf({ runs, lastDuration }: Pick<WatchedCheck, 'runs' | 'lastDuration'>): UsualDuration | null {
  const kept = runMarks(runs).flatMap(({ duration }) => (duration === null ? [] : [duration]))
  // The history is exact to a step. The last duration is exact, and most jobs take about as long each time.
  const exact = kept.map((each) => (lastDuration !== null && isSameStep(each, lastDuration) ? lastDuration : each))
  const range = usualDuration(exact)
  if (range === null) return null
  const isExact = exact.every((each) => each === lastDuration)
  return { ...range, longest: longestUsual(range) * (isExact ? 1 : INEXACTNESS) }
}

/**
 * The median, more and less twice the median absolute deviation: one run that took very long does not widen it.
 * @param durations microseconds @returns null for fewer than five
 */
export function usualDuration(durations: readonly number[]): DurationRange | null {
  if (durations.length < RUNS_NEEDED) return null
  const middle = median(durations)
  const reach = DEVIATIONS * median(durations.map((duration) => Math.abs(duration - middle)))
  return { low: Math.max(0, middle - reach), high: middle + reach }
}

/** Never less than a quarter above the median. */
function longestUsual({ low, high }: DurationRange): number {
  return Math.max(high, (SLOW_FROM * (low + high)) / 2)
}

/** Whether a run takes, or took, clearly longer than the others. @param usual null: nobody knows */
export function isSlow(duration: number, usual: UsualDuration | null): boolean {
  return usual !== null && duration > usual.longest
}

const SECOND = 1_000_000
const MINUTE = 60

/** `34 to 43 min`. */
export function usualWords(usual: DurationRange): string {
  const [low, high] = [roughWords(usual.low), roughWords(usual.high)]
  if (low === high) return low
  const [amount, unit] = low.split(' ')
  const isOneUnit = low === `${amount} ${unit}` && /^\d+ \w+$/.test(high) && high.endsWith(` ${unit}`)
  return isOneUnit ? `${amount} to ${high}` : `${low} to ${high}`
}

/** Seconds say nothing beside many minutes. */
function roughWords(duration: number): string {
  const seconds = duration / SECOND
  return durationWords(seconds < 10 * MINUTE ? seconds : Math.round(seconds / MINUTE) * MINUTE)
}
