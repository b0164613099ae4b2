/** Names that must be distinct: one that comes again gets a number. */

/** So many characters of a name may give way to its number. */
const ENDING = 10

export class Numbering {
  readonly #limit: number
  /** By the name without what its number may replace: the last number that was given. */
  readonly #last = new Map<string, number>()

  /** @param limit characters of a name with its number */
  constructor(limit: number) {
    this.#limit = limit
  }

  /**
   * A number that is free, from 1 on: the first one, unless a name with the same beginning was given a later one.
   * @param isFree whether the name may be used with the number; what is taken once is never free again
   */
  next(name: string, isFree: (number: number) => boolean): number {
    if (isFree(1)) return 1
    const key = name.slice(0, this.#limit - ENDING)
    let number = (this.#last.get(key) ?? 1) + 1
    while (!isFree(number)) number += 1
    this.#last.set(key, number)
    return number
  }
}
