/** Histograms in the format that Prometheus expects. */

/** The counts in a histogram; {@link bucketOf} returns the bucket for a value. */
export interface HistogramCounts {
  /** upper bounds of the buckets in ascending order, excluding infinity */
  readonly bounds: readonly number[]
  /** number of values in each bucket, followed by the number of values above the last bound; not cumulative */
  readonly counts: readonly number[]
  /** sum of all values */
  readonly sum: number
}

/** Returns the index of the first bound that is not less than `value`; `bounds.length` if there is none. */
export function bucketOf(bounds: readonly number[], value: number): number {
  let index = 0
  while (index < bounds.length && value > (bounds[index] ?? 0)) index += 1
  return index
}

/** A histogram that is kept in memory. */
export class Histogram implements HistogramCounts {
  readonly counts: number[]
  #sum = 0

  /** @param bounds upper bounds of the buckets, in ascending order */
  constructor(readonly bounds: readonly number[]) {
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0)
  }

  get sum(): number {
    return this.#sum
  }

  observe(value: number): void {
    const bucket = bucketOf(this.bounds, value)
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1
    this.#sum += value
  }
}
