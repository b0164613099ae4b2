/** Random values that are the same for the same seed. */

/** The generator mulberry32, which is small and good enough for tests. */
export class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** @returns a number from 0 to below 1 */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** @returns a whole number from 0 to `most` */
  integer(most: number): number {
    return Math.floor(this.fraction() * (Math.floor(most) + 1))
  }

  /** @returns a number from `least` to below `most` */
  between(least: number, most: number): number {
    return least + this.fraction() * (most - least)
  }

  /** @returns true in this share of calls */
  happens(share: number): boolean {
    return this.fraction() < share
  }

  /**
   * @returns a number around `median` with a tail to the right: a third of all values differ from it by more than a factor of `1 + spread`
   */
  around(median: number, spread: number): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.fraction())) * Math.cos(2 * Math.PI * this.fraction())
    return median * (1 + spread) ** normal
  }

  /** @returns a size up to `most`, but rarely above a fortieth of it, because large messages take long */
  size(most: number): number {
    return this.integer(this.integer(40) === 0 ? most : most / 40)
  }

  pick<Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item {
    const item = items[this.integer(items.length - 1)]
    if (item === undefined) throw new Error('there is nothing to pick from')
    return item
  }

  /** @returns random bytes, as characters, without line ends */
  text(most: number): string {
    return Array.from({ length: this.integer(most) }, () => String.fromCharCode(this.integer(255)))
      .join('')
      .replace(/[\r\n]/g, '')
  }
}
