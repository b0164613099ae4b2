/** Counts the durations of a check's runs in histogram buckets. */
import { bucketOf, type HistogramCounts } from '../../lib/figures/histogram.ts'

/**
 * Upper bounds of the buckets, in seconds. Most jobs take between a second and a day. The last bucket, for longer runs, has no upper bound.
 */
const BOUNDS: readonly number[] = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 43_200, 86_400]

const MICROSECONDS = 1_000_000

/** The runs in one bucket. */
export interface RunBucket {
  /** upper bound in seconds, inclusive; infinite for the last bucket */
  readonly bound: number
  readonly runs: number
  /** total duration of these runs, in microseconds */
  readonly total: number
}

/**
 * Returns the bound of a run's bucket.
 * @param duration microseconds
 */
export function boundOf(duration: number): number {
  return BOUNDS[bucketOf(BOUNDS, duration / MICROSECONDS)] ?? Number.POSITIVE_INFINITY
}

/**
 * Returns a histogram in seconds; null if there are no runs. If a stored bucket's bound no longer exists, its runs are added to the next
 * higher bucket.
 */
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
