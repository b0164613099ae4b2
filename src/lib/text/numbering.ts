/** Numbers names that must be distinct: a repeated name gets a number. */

/** Characters of a name that may be cut to make room for its number. */
const ENDING = 10

export class Numbering {
  readonly #limit: number
  /** The last number given, by name without the part that may be cut. */
  readonly #last = new Map<string, number>()

  /** @param limit characters of a name with its number */
  constructor(limit: number) {
    this.#limit = limit
  }

  /**
   * Returns a free number, from 1 on: the first one, unless a name with the same beginning was given a later one.
   * @param isFree returns true if the name may be used with the number; a used number never becomes free again
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
