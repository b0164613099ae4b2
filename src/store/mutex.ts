/** Lets one piece of asynchronous work run at a time, in the order in which it was asked for. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs `work` when everything before it has ended, however that ended. */
  exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work, work)
    // The chain only orders; whoever asked for the work sees its failure.
    this.#last = result.catch(() => undefined)
    return result
  }
}
