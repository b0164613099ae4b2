/** How long the runs of a check took, counted in buckets that only ever grow. */
import { bucketOf, type HistogramCounts } from './histogram.ts'

/** Seconds. Jobs take from a moment to a day; what takes longer is in the last, unbounded bucket. */
const BOUNDS: readonly number[] = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 43_200, 86_400]

const MICROSECONDS = 1_000_000

/** What is kept of the runs of one bucket. */
export interface RunBucket {
  /** seconds, included; infinite for the last */
  readonly bound: number
  readonly runs: number
  /** microseconds of all of them */
  readonly total: number
}

/** The bound of the bucket that a run belongs to. @param duration microseconds */
export function boundOf(duration: number): number {
  return BOUNDS[bucketOf(BOUNDS, duration / MICROSECONDS)] ?? Number.POSITIVE_INFINITY
}

/** In seconds; null while no run was counted. A bucket whose bound is no longer in use goes to the next bigger one. */
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
