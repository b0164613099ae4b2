/** Lists of whole numbers: how schedules hold the values of a field, in order and each once. */

/** `low`, `low + step`, ... not beyond `high`. */
export function stepped(low: number, high: number, step = 1): number[] {
  const values: number[] = []
  for (let value = low; value <= high; value += step) values.push(value)
  return values
}

/** Each value once, in order. */
export function ordered(values: Iterable<number>): number[] {
  return [...new Set(values)].sort((a, b) => a - b)
}

/** Written with ranges where three or more follow one another: `['1-3', '5']`. */
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

/** Whether each value is one more than the one before it. */
export function isRun(values: readonly number[]): boolean {
  return values.every((value, index) => value === (values[0] ?? 0) + index)
}
