/** Runs work in the background. Only a server shutdown waits for it to finish. */

export interface Background {
  /** @param work must handle its own errors and never reject */
  run(work: () => Promise<void>): void
  /** Runs work after a pause. {@link drain} cuts the pause short. */
  runAfter(seconds: number, work: () => Promise<void>): void
  /** Resolves when all work has finished. */
  drain(): Promise<void>
}

export function createBackground(): Background {
  const running = new Set<Promise<void>>()
  /** Functions that each end one pause. */
  const pauses = new Set<() => void>()
  const pause = async (seconds: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timeout = setTimeout(resolve, seconds * 1000)
    pauses.add(resolve)
    await promise
    pauses.delete(resolve)
    clearTimeout(timeout)
  }
  const run = (work: () => Promise<void>): void => {
    const done = work().finally(() => running.delete(done))
    running.add(done)
  }
  return {
    run,
    runAfter(seconds, work) {
      run(async () => {
        await pause(seconds)
        await work()
      })
    },
    async drain() {
      while (running.size > 0) {
        for (const end of pauses) end()
        await Promise.all(running)
      }
    },
  }
}
