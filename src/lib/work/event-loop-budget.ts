import { EventLoopTurns } from './event-loop-turn.ts'

/**
 * Limits how long one kind of work can block the event loop at a time. Promises that resolve immediately run one after another without
 * returning to the event loop, so a queue of reads would delay every ping until the last read is done.
 */
export class EventLoopBudget {
  readonly #milliseconds: number
  readonly #turns = new EventLoopTurns()
  /** waiting callers in order of arrival */
  readonly #waiting: (() => void)[] = []

  /** @param milliseconds maximum time for the work in each turn of the event loop; a piece of work that has started is never interrupted */
  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
  }

  /**
   * Resolves immediately if there is time left in this turn, otherwise in a later turn. Callers must await it before each piece of work.
   */
  available(): Promise<void> {
    if (this.#hasTime()) return Promise.resolve()
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      setImmediate(this.#admit)
    })
  }

  /** Admits the first waiting caller. Each caller gets its own immediate, so that its work is finished before the next immediate runs. */
  readonly #admit = (): void => {
    if (this.#hasTime()) this.#waiting.shift()?.()
    else setImmediate(this.#admit)
  }

  #hasTime(): boolean {
    return performance.now() - this.#turns.current().beganAt < this.#milliseconds
  }
}
