/** Chance that can be had again: the same seed, the same throws. */

/** mulberry32: small, and good enough for dice. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  upTo(most: number): number {
    return Math.floor(this.fraction() * (Math.floor(most) + 1))
  }

  /** Seldom as many as that: large messages take their time. */
  many(most: number): number {
    return this.upTo(this.upTo(40) === 0 ? most : most / 40)
  }

  one<Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item {
    const item = items[this.upTo(items.length - 1)]
    if (item === undefined) throw new Error('dice need something to choose from')
    return item
  }

  /** Any bytes but line ends. */
  noise(most: number): string {
    return Array.from({ length: this.upTo(most) }, () => String.fromCharCode(this.upTo(255)))
      .join('')
      .replace(/[\r\n]/g, '')
  }
}
