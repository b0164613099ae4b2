/**
 * Yields to the event loop during long-running work. The work runs in steps, one at a time across all callers. Each step is followed by a
 * pause of the same length, so other work is only delayed by one step.
 */
export class EventLoopYield {
  #last: Promise<unknown> = Promise.resolve()

  /**
   * Runs one step. Resolves when the step is done, before the pause that follows it.
   * @throws any error thrown by the step
   */
  step<Result>(work: () => Promise<Result>): Promise<Result> {
    const began = this.#last.then(() => performance.now())
    const result = began.then(work)
    const pause = async () => Bun.sleep(performance.now() - (await began))
    this.#last = result.then(pause, pause)
    return result
  }
}

/**
 * Runs work in steps. A step ends when the generator yields.
 * @param leastMs minimum duration of a step in milliseconds; if less time has passed when the generator yields, the step continues
 */
export async function inSteps<Result>(
  eventLoop: Pick<EventLoopYield, 'step'>,
  work: Iterator<unknown, Result>,
  leastMs = 0,
): Promise<Result> {
  for (;;) {
    const { done, value } = await eventLoop.step(async () => nextAfter(work, leastMs))
    if (done) return value
  }
}

/** Runs work like {@link inSteps}, except that the work may await promises between its steps. */
export async function inAsyncSteps<Result>(
  eventLoop: Pick<EventLoopYield, 'step'>,
  work: AsyncIterator<unknown, Result>,
  leastMs = 0,
): Promise<Result> {
  for (;;) {
    const { done, value } = await eventLoop.step(async () => {
      const until = performance.now() + leastMs
      let next = await work.next()
      while (!next.done && performance.now() < until) next = await work.next()
      return next
    })
    if (done) return value
  }
}

function nextAfter<Result>(work: Iterator<unknown, Result>, leastMs: number): IteratorResult<unknown, Result> {
  const until = performance.now() + leastMs
  let next = work.next()
  while (!next.done && performance.now() < until) next = work.next()
  return next
}
