/**
 * Limits how many long reads run at once. They take turns, so each further one slows all others; a client beyond the limit
 * learns that at once. No project can use up the limit.
 */
import { Refusal } from '../domain/errors.ts'
import { Counts } from '../lib/counts.ts'

const LIMIT = 100
const LIMIT_OF_ONE = 75

export class LongReads {
  readonly #limit: number
  readonly #limitOfOne: number
  readonly #underWay = new Counts()

  /** @param limitOfOne for the same owner */
  constructor(limit = LIMIT, limitOfOne = Math.min(limit, LIMIT_OF_ONE)) {
    this.#limit = limit
    this.#limitOfOne = limitOfOne
  }

  /**
   * @param owner whose data is read: a project
   * @returns a function that ends it; call it once
   * @throws Refusal `busy` when too many are under way
   */
  begin(owner: string): () => void {
    if (this.#underWay.total >= this.#limit || this.#underWay.of(owner) >= this.#limitOfOne) {
      throw new Refusal('busy', 'too many long answers are under way, please try again in a second')
    }
    return this.#underWay.begin(owner)
  }

  /** @throws Refusal `busy`; errors of `work` */
  async during<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    const end = this.begin(owner)
    try {
      return await work()
    } finally {
      end()
    }
  }
}
