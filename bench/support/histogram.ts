/** Counts latencies in steps of a hundredth of a millisecond, with constant memory and cheaply enough for every request. */

const STEPS_PER_MILLISECOND = 100
const LIMIT_MILLISECONDS = 10_000

export interface Histogram {
  add(milliseconds: number): void
  /** @param share 0 to 1 @returns the milliseconds below which this share of the values lies; NaN without values */
  quantile(share: number): number
}

/** Creates a histogram. Values of ten seconds and more are counted as ten seconds. */
export function createHistogram(): Histogram {
  const last = LIMIT_MILLISECONDS * STEPS_PER_MILLISECOND
  const counts = new Uint32Array(last + 1)
  return {
    add(milliseconds) {
      const step = Math.min((milliseconds * STEPS_PER_MILLISECOND) | 0, last)
      counts[step] = (counts[step] ?? 0) + 1
    },
    quantile(share) {
      const total = counts.reduce((sum, count) => sum + count, 0)
      let seen = 0
      for (const [step, count] of counts.entries()) {
        seen += count
        if (total > 0 && seen >= total * share) return (step + 1) / STEPS_PER_MILLISECOND
      }
      return Number.NaN
    },
  }
}
