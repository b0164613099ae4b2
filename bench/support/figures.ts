/** Formats numbers of the benchmarks. */

/** @returns NaN without values */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}

/** Formats `0.42 (0.40–0.45)`: the median, then the smallest and the largest; a single value has no brackets. */
export function withSpread(values: readonly number[], digits: number): string {
  const text = (value: number) => fixed(value, digits)
  if (values.length === 1) return text(median(values))
  return `${text(median(values))} (${text(Math.min(...values))}–${text(Math.max(...values))})`
}

/** Formats a number as `12,345.6`. */
export function fixed(value: number, digits: number): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** Formats a number as `12,345`. */
export function whole(value: number): string {
  return fixed(value, 0)
}

/** Prints a result to standard output. */
export function print(line = ''): void {
  process.stdout.write(`${line}\n`)
}

/** Prints progress to standard error, so that standard output has the results only. */
export function progress(line = ''): void {
  process.stderr.write(`${line}\n`)
}
