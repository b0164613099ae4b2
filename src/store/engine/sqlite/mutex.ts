/** Runs one piece of asynchronous work at a time, in the order of the calls. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs `work` after all earlier work has ended or failed. */
  exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work, work)
    // The caller sees a failure; the chain only keeps the order.
    this.#last = result.catch(() => undefined)
    return result
  }
}
