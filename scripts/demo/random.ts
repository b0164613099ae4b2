/** Random numbers that are the same in each run. */

export interface Chance {
  /** 0 ≤ fraction < 1 */
  readonly fraction: () => number
  /** a whole number, both ends included */
  readonly between: (least: number, most: number) => number
  readonly pick: <Item>(list: readonly [Item, ...Item[]]) => Item
  /** a number around 1: half of the values are between 0.9 and 1.1, and few are far away */
  readonly spread: () => number
}

/** @param seed the same text gives the same values (mulberry32, initialised by FNV-1a) */
export function createChance(seed: string): Chance {
  let state = 0x811c9dc5
  for (const byte of new TextEncoder().encode(seed)) state = Math.imul(state ^ byte, 0x01000193) >>> 0
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + Math.floor(fraction() * (most - least + 1))
  return {
    fraction,
    between,
    pick: (list) => list[between(0, list.length - 1)] ?? list[0],
    spread: () => 1 + (fraction() + fraction() + fraction() - 1.5) * 0.35,
  }
}
