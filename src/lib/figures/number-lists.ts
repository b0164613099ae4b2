/** Sorted lists of whole numbers without duplicates, such as the values that a schedule field matches. */

/** Returns `low`, `low + step`, and so on, up to `high`. */
export function stepped(low: number, high: number, step = 1): number[] {
  const values: number[] = []
  for (let value = low; value <= high; value += step) values.push(value)
  return values
}

/** Returns the values in ascending order, without duplicates. */
export function ordered(values: Iterable<number>): number[] {
  return [...new Set(values)].sort((a, b) => a - b)
}

/** Formats numbers as a list. Three or more consecutive values become a range, as in `['1-3', '5']`. */
export function runs(values: readonly number[]): string[] {
  const texts: string[] = []
  for (let index = 0; index < values.length; ) {
    let end = index
    while (values[end + 1] === (values[end] ?? 0) + 1) end++
    if (end - index < 2) end = index
    texts.push(end === index ? `${values[index]}` : `${values[index]}-${values[end]}`)
    index = end + 1
  }
  return texts
}

/** Returns true if the values are consecutive. */
export function isRun(values: readonly number[]): boolean {
  return values.every((value, index) => value === (values[0] ?? 0) + index)
}
