/** The usual duration of a check's runs, and the duration above which a run counts as slow. */
import { median } from '../../lib/figures/statistics.ts'
import { durationWords } from '../../lib/time-words.ts'
import type { WatchedCheck } from './check.ts'
import { INEXACTNESS, isSameStep, runMarks } from './run-history.ts'

/** A range of durations in microseconds. Both ends are included. */
export interface DurationRange {
  readonly low: number
  readonly high: number
}

export interface UsualDuration extends DurationRange {
  /** maximum duration of a run that is not slow, in microseconds */
  readonly longest: number
}

/** Minimum number of runs. With fewer, there is no usual duration. */
const RUNS_NEEDED = 5
const DEVIATIONS = 2
/**
 * Minimum duration of a slow run, as a multiple of the median. Without it, the range would be too narrow for a job whose runs all take
 * equally long.
 */
const SLOW_FROM = 1.25

/**
 * Returns the usual duration of the runs in the history; null if fewer than five of them have known durations. Lists, pages, sentences and
 * charts all use it. The current run is not included, because only finished runs are in the history.
 */
export function usualOf({ runs, lastDuration }: Pick<WatchedCheck, 'runs' | 'lastDuration'>): UsualDuration | null {
  const kept = runMarks(runs).flatMap(({ duration }) => (duration === null ? [] : [duration]))
  // Durations in the history are rounded, but the last one is also stored exactly. Most jobs take about the same time on every run, so the
  // exact duration replaces all rounded ones that are equal to it.
  const exact = kept.map((each) => (lastDuration !== null && isSameStep(each, lastDuration) ? lastDuration : each))
  const range = usualDuration(exact)
  if (range === null) return null
  const isExact = exact.every((each) => each === lastDuration)
  return { ...range, longest: longestUsual(range) * (isExact ? 1 : INEXACTNESS) }
}

/**
 * Returns the median, plus and minus twice the median absolute deviation, so that a single very long run does not widen the range much.
 * @param durations microseconds
 * @returns null if there are fewer than five
 */
export function usualDuration(durations: readonly number[]): DurationRange | null {
  if (durations.length < RUNS_NEEDED) return null
  const middle = median(durations)
  const reach = DEVIATIONS * median(durations.map((duration) => Math.abs(duration - middle)))
  return { low: Math.max(0, middle - reach), high: middle + reach }
}

/** Returns the longest duration that is still usual: at least a quarter above the median. */
function longestUsual({ low, high }: DurationRange): number {
  return Math.max(high, (SLOW_FROM * (low + high)) / 2)
}

/**
 * Whether a run is taking, or took, clearly longer than usual.
 * @param usual null: unknown
 */
export function isSlow(duration: number, usual: UsualDuration | null): boolean {
  return usual !== null && duration > usual.longest
}

const SECOND = 1_000_000
const MINUTE = 60

/** Formats a range as text, such as `34 to 43 min`. */
export function usualWords(usual: DurationRange): string {
  const [low, high] = [roughWords(usual.low), roughWords(usual.high)]
  if (low === high) return low
  const [amount, unit] = low.split(' ')
  const isOneUnit = low === `${amount} ${unit}` && /^\d+ \w+$/.test(high) && high.endsWith(` ${unit}`)
  return isOneUnit ? `${amount} to ${high}` : `${low} to ${high}`
}

/** Formats a duration. Omits the seconds if it is many minutes long. */
function roughWords(duration: number): string {
  const seconds = duration / SECOND
  return durationWords(seconds < 10 * MINUTE ? seconds : Math.round(seconds / MINUTE) * MINUTE)
}
