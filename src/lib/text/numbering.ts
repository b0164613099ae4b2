/** Appends numbers to repeated names so that all names are distinct. */

/** Number of characters that can be removed from the end of a name to make room for its number. */
const ENDING = 10

export class Numbering {
  readonly #limit: number
  /** The last number used for each name, keyed by the name without the part that may be removed. */
  readonly #last = new Map<string, number>()

  /** @param limit maximum length of a name in characters, including its number */
  constructor(limit: number) {
    this.#limit = limit
  }

  /**
   * Returns the next free number for a name, starting at 1. If a name with the same beginning was numbered before, continues after that
   * number.
   * @param isFree returns true if the name is free with the given number; a number that is taken must never become free again
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
