/**
 * Work that keeps the event loop busy, in steps: one at a time, whoever wants it done, and after each a pause as long as
 * the step has taken. So whatever waits for the loop meanwhile is held up by one step, not by all.
 */
export class Pace {
  #last: Promise<unknown> = Promise.resolve()

  /** Resolves when the step is done, before its pause. @throws whatever the step does */
  step<Result>(work: () => Promise<Result>): Promise<Result> {
    const began = this.#last.then(() => performance.now())
    const result = began.then(work)
    const pause = async () => Bun.sleep(performance.now() - (await began))
    this.#last = result.then(pause, pause)
    return result
  }
}
