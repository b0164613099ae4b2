/** Medians and percentiles. */

/** Returns the middle value, or the mean of the two middle values; 0 if there are no values. */
export function median(values: readonly number[]): number {
  const sorted = ascending(values)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}

/**
 * Returns the middle value, or the greater of the two middle values, so that the result is always one of the values; undefined if there are
 * none.
 */
export function upperMedian(values: readonly number[]): number | undefined {
  return ascending(values)[Math.floor(values.length / 2)]
}

/** Returns the smallest value such that at least `share` of the values are less than or equal to it; 0 if there are none. */
export function percentile(values: readonly number[], share: number): number {
  return ascending(values)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0
}

/** Returns the difference between the largest and the smallest value; 0 if there are none. */
export function spread(values: readonly number[]): number {
  return values.length === 0 ? 0 : Math.max(...values) - Math.min(...values)
}

function ascending(values: readonly number[]): readonly number[] {
  return values.toSorted((a, b) => a - b)
}
