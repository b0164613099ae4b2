/** Groups consecutive columns, and returns the first and the last column of each group. */
export function stretchesOf(columns: readonly number[]): readonly (readonly [first: number, last: number])[] {
  const sorted = [...new Set(columns)].toSorted((a, b) => a - b)
  const begins = sorted.filter((column, index) => sorted[index - 1] !== column - 1)
  const ends = sorted.filter((column, index) => sorted[index + 1] !== column + 1)
  return begins.map((begin, index) => [begin, ends[index] ?? begin])
}
