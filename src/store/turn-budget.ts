/**
 * Shares the event loop between one kind of work and everything else. Promises that are kept at once run one after the
 * other without letting the loop go on, so a queue of reads would hold every ping until the last of them has ended.
 */
export class TurnBudget {
  readonly #milliseconds: number
  #beganAt = 0
  /** Kept when the loop has gone round; null while the work has not been asked for in this turn. */
  #turn: Promise<void> | null = null

  /** @param milliseconds that the work may take in one turn; what has begun is never interrupted */
  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
  }

  /** Resolves while this turn has time left, else in the next one. To be awaited before each piece of work. */
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
