/**
 * Bounds how many answers that read much are under way at once. They take turns, so each one more makes all of them later;
 * beyond the limit it is better to say so at once.
 */
import { Refusal } from '../domain/errors.ts'

const LIMIT = 100

export class LongReads {
  readonly #limit: number
  #underWay = 0

  constructor(limit = LIMIT) {
    this.#limit = limit
  }

  /**
   * @returns what ends it; to be called once
   * @throws Refusal `busy` when too many are under way
   */
  begin(): () => void {
    if (this.#underWay >= this.#limit) {
      throw new Refusal('busy', 'too many long answers are under way, please try again in a second')
    }
    this.#underWay += 1
    return () => {
      this.#underWay -= 1
    }
  }

  /** @throws Refusal `busy`; whatever the work does */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    const end = this.begin()
    try {
      return await work()
    } finally {
      end()
    }
  }
}
