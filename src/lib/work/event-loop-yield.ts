/**
 * Yields to the event loop during long work. The work runs in steps, one at a time for all callers together. Each step is followed by an
 * equally long pause, so other work is delayed by only one step.
 */
export class EventLoopYield {
  #last: Promise<unknown> = Promise.resolve()

  /**
   * Resolves when the step is done, before the pause that follows it.
   * @throws whatever the step throws
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
 * @param leastMs minimum duration of a step, in milliseconds; if it is shorter, the step continues after the yield
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

/** Runs work like {@link inSteps}, but the work can also await promises between its steps. */
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
