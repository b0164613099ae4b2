/** Runs one piece of asynchronous work at a time, in the order of the calls. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs `work` when all earlier work has succeeded or failed. */
  exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work, work)
    // The caller receives the error. The chain only keeps the order.
    this.#last = result.catch(() => undefined)
    return result
  }
}
