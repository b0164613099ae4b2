/** How often values were how big, counted in buckets as Prometheus wants them. */

/** What was counted so far; see {@link bucketOf} for which value belongs where. */
export interface HistogramCounts {
  /** upper bounds, rising, without the infinite one */
  readonly bounds: readonly number[]
  /** one for each bound, and a last one for what is bigger than all; each by itself, not summed up */
  readonly counts: readonly number[]
  /** of all values */
  readonly sum: number
}

/** The place of the first bound that is not less than `value`; behind the last when there is none. */
export function bucketOf(bounds: readonly number[], value: number): number {
  let index = 0
  while (index < bounds.length && value > (bounds[index] ?? 0)) index += 1
  return index
}

/** A histogram that is counted up in memory. */
export class Histogram implements HistogramCounts {
  readonly counts: number[]
  #sum = 0

  /** @param bounds rising */
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
