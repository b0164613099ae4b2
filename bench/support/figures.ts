/** Numbers as the benchmarks print them. */

/** NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}

/** `0.42 (0.40–0.45)`: the median, then the smallest and the largest. */
export function withSpread(values: readonly number[], digits: number): string {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return `${median(values).toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`
}

/** `12,345` */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

export function print(line = ''): void {
  process.stdout.write(`${line}\n`)
}
