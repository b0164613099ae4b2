/** Durations of a check's runs, counted in buckets. */
import { bucketOf, type HistogramCounts } from '../../lib/figures/histogram.ts'

/** Bounds in seconds. Most jobs take from a moment to a day; longer runs are in the last, unbounded bucket. */
const BOUNDS: readonly number[] = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 43_200, 86_400]

const MICROSECONDS = 1_000_000

/** The runs of one bucket. */
export interface RunBucket {
  /** seconds, inclusive; infinite for the last */
  readonly bound: number
  readonly runs: number
  /** microseconds of all its runs */
  readonly total: number
}

/** Returns the bound of a run's bucket. @param duration microseconds */
export function boundOf(duration: number): number {
  return BOUNDS[bucketOf(BOUNDS, duration / MICROSECONDS)] ?? Number.POSITIVE_INFINITY
}

/** Returns a histogram in seconds; null without runs. A bucket whose bound is no longer used counts towards the next larger one. */
export function runHistogram(buckets: readonly RunBucket[]): HistogramCounts | null {
  if (buckets.length === 0) return null
  const counts = Array.from({ length: BOUNDS.length + 1 }, () => 0)
  let total = 0
  for (const bucket of buckets) {
    const index = bucketOf(BOUNDS, bucket.bound)
    counts[index] = (counts[index] ?? 0) + bucket.runs
    total += bucket.total
  }
  return { bounds: BOUNDS, counts, sum: total / MICROSECONDS }
}
