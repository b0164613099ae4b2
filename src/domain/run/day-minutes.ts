/**
 * Encodes the minutes of a day in which runs began. A few minutes are stored as a list of two-byte numbers; many, as a bitmap with one bit
 * per minute. When clocks go back, the minutes of the repeated hour are counted once.
 */

export const MINUTES = 1_440
const BITMAP_BYTES = MINUTES / 8

/** @param minutes minutes since midnight, in any order */
export function packedMinutes(minutes: Iterable<number>): Uint8Array {
  const sorted = [...new Set(minutes)].toSorted((a, b) => a - b)
  if (sorted.length * 2 < BITMAP_BYTES) return Uint8Array.from(sorted.flatMap((minute) => [minute >> 8, minute & 255]))
  const bits = new Uint8Array(BITMAP_BYTES)
  for (const minute of sorted) bits[minute >> 3] = (bits[minute >> 3] ?? 0) | (1 << (minute & 7))
  return bits
}

/** Returns the minutes since midnight, in ascending order. */
export function unpackedMinutes(bytes: Uint8Array): number[] {
  if (bytes.length < BITMAP_BYTES) {
    return Array.from(
      { length: bytes.length / 2 },
      (_, index) => ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0),
    )
  }
  const isSet = (minute: number) => ((bytes[minute >> 3] ?? 0) & (1 << (minute & 7))) !== 0
  return Array.from({ length: MINUTES }, (_, minute) => minute).filter(isSet)
}
