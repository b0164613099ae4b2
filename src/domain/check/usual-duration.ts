/** The usual duration of a check's runs, and the duration from which a run is slow. */
import { median } from '../../lib/figures/statistics.ts'
import { durationWords } from '../../lib/time-words.ts'
import type { WatchedCheck } from './check.ts'
import { INEXACTNESS, isSameStep, runMarks } from './run-history.ts'

/** A range in microseconds, both ends inclusive. */
export interface DurationRange {
  readonly low: number
  readonly high: number
}

export interface UsualDuration extends DurationRange {
  /** microseconds; a run that takes longer is slow */
  readonly longest: number
}

/** Fewer runs don't show what is usual. */
const RUNS_NEEDED = 5
const DEVIATIONS = 2
/** Minimum duration of a slow run, as a multiple of the median: runs of equal length have a very narrow range. */
const SLOW_FROM = 1.25

/**
 * Returns the usual duration of the stored runs. Lists, pages, sentences and charts all use it. The run under way is not included, because
 * the history has only ended runs. Null for fewer than five runs with known durations.
 */
export function usualOf({ runs, lastDuration }: Pick<WatchedCheck, 'runs' | 'lastDuration'>): UsualDuration | null {
  const kept = runMarks(runs).flatMap(({ duration }) => (duration === null ? [] : [duration]))
  // The history is exact to a step. The last duration is exact, and most jobs take about equally long each time.
  const exact = kept.map((each) => (lastDuration !== null && isSameStep(each, lastDuration) ? lastDuration : each))
  const range = usualDuration(exact)
  if (range === null) return null
  const isExact = exact.every((each) => each === lastDuration)
  return { ...range, longest: longestUsual(range) * (isExact ? 1 : INEXACTNESS) }
}

/**
 * Returns the median, plus and minus twice the median absolute deviation: one very long run does not widen the range.
 * @param durations microseconds @returns null for fewer than five
 */
export function usualDuration(durations: readonly number[]): DurationRange | null {
  if (durations.length < RUNS_NEEDED) return null
  const middle = median(durations)
  const reach = DEVIATIONS * median(durations.map((duration) => Math.abs(duration - middle)))
  return { low: Math.max(0, middle - reach), high: middle + reach }
}

/** Returns the longest usual duration, at least a quarter above the median. */
function longestUsual({ low, high }: DurationRange): number {
  return Math.max(high, (SLOW_FROM * (low + high)) / 2)
}

/** Whether a run takes, or took, clearly longer than the others. @param usual null: unknown */
export function isSlow(duration: number, usual: UsualDuration | null): boolean {
  return usual !== null && duration > usual.longest
}

const SECOND = 1_000_000
const MINUTE = 60

/** Returns `34 to 43 min`. */
export function usualWords(usual: DurationRange): string {
  const [low, high] = [roughWords(usual.low), roughWords(usual.high)]
  if (low === high) return low
  const [amount, unit] = low.split(' ')
  const isOneUnit = low === `${amount} ${unit}` && /^\d+ \w+$/.test(high) && high.endsWith(` ${unit}`)
  return isOneUnit ? `${amount} to ${high}` : `${low} to ${high}`
}

/** Leaves out seconds beside many minutes. */
function roughWords(duration: number): string {
  const seconds = duration / SECOND
  return durationWords(seconds < 10 * MINUTE ? seconds : Math.round(seconds / MINUTE) * MINUTE)
}
