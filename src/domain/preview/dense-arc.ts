/** Finds the part of a circle that contains the most values, such as the times of day at which a job runs. */

interface Arc {
  /** number between 0 (inclusive) and the size of the circle (exclusive) */
  readonly start: number
  readonly width: number
  /** number of values in the arc */
  readonly count: number
}

/**
 * Returns the shortest arc that contains a given share of the values, extended to include values near its ends.
 * @param values any numbers; they are taken modulo `size`
 * @param share from 0 to 1
 */
export function denseArc(values: readonly number[], size: number, share: number): Arc {
  const sorted = values.map((value) => modulo(value, size)).sort((a, b) => a - b)
  const amount = sorted.length
  const needed = Math.max(1, Math.ceil(share * amount))
  // The index may exceed the length of the list, so that an arc can cross the starting point of the circle.
  const place = (index: number) => (sorted[modulo(index, amount)] ?? 0) + Math.floor(index / amount) * size
  let first = 0
  for (let index = 1; index < amount; index++) {
    if (place(index + needed - 1) - place(index) < place(first + needed - 1) - place(first)) first = index
  }
  let last = first + needed - 1
  const reach = Math.max((place(last) - place(first)) / 4, size / 200)
  while (last - first + 1 < amount && place(first) - place(first - 1) <= reach) first -= 1
  while (last - first + 1 < amount && place(last + 1) - place(last) <= reach) last += 1
  return {
    start: modulo(place(first), size),
    width: place(last) - place(first),
    count: amount === 0 ? 0 : last - first + 1,
  }
}

/** Returns the remainder, between 0 (inclusive) and `size` (exclusive), even for a negative value. */
export function modulo(value: number, size: number): number {
  return ((value % size) + size) % size
}
