/**
 * Limits how long one kind of work holds the event loop at a time. Promises that resolve at once run one after the other
 * without returning to the loop, so a queue of reads would delay every ping until the last read ended.
 */
export class EventLoopBudget {
  readonly #milliseconds: number
  #beganAt = 0
  /** Resolves in the next turn of the loop; null when no work has asked in this turn. */
  #turn: Promise<void> | null = null

  /** @param milliseconds how long the work may take per turn of the loop; started work is never interrupted */
  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
  }

  /** Resolves while this turn has time left, otherwise in the next turn. Await it before each piece of work. */
  async available(): Promise<void> {
    while (this.#turn !== null && performance.now() - this.#beganAt >= this.#milliseconds) await this.#turn
    if (this.#turn !== null) return
    this.#beganAt = performance.now()
    this.#turn = new Promise((resolve) => {
      setImmediate(() => {
        this.#turn = null
        resolve()
      })
    })
  }
}
