import { EventLoopTurns } from './event-loop-turn.ts'

/**
 * Limits how long one kind of work holds the event loop at a time. Promises that resolve at once run one after the other
 * without returning to the loop, so a queue of reads would delay every ping until the last read ended.
 */
export class EventLoopBudget {
  readonly #milliseconds: number
  readonly #turns = new EventLoopTurns()

  /** @param milliseconds how long the work may take per turn of the loop; started work is never interrupted */
  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
  }

  /** Resolves while this turn has time left, otherwise in the next turn. Await it before each piece of work. */
  async available(): Promise<void> {
    let turn = this.#turns.current()
    while (performance.now() - turn.beganAt >= this.#milliseconds) {
      await turn.end
      turn = this.#turns.current()
    }
  }
}
