/** How long the runs of a check usually take. */

/** Microseconds, both inclusive. */
export interface DurationRange {
  readonly low: number
  readonly high: number
}

/** Fewer runs say nothing of what is usual. */
const RUNS_NEEDED = 5
const DEVIATIONS = 2
/** A run counts as slow from here, as a multiple of the median: runs that all take the same time have a very narrow range. */
const SLOW_FROM = 1.25

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

/** Whether a run took clearly longer than the others. @param usual null: nobody knows */
export function isSlow(duration: number, usual: DurationRange | null): boolean {
  return usual !== null && duration > Math.max(usual.high, (SLOW_FROM * (usual.low + usual.high)) / 2)
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}
