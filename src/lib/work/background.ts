/** Runs work in the background. Only a stop of the server waits for the work to finish. */

export interface Background {
  /** @param work must not reject, so it must handle its own errors */
  run(work: () => Promise<void>): void
  /** Runs work after a pause. {@link drain} ends the pause early. */
  runAfter(seconds: number, work: () => Promise<void>): void
  /** Resolves when all work is done. */
  drain(): Promise<void>
}

export function createBackground(): Background {
  const running = new Set<Promise<void>>()
  /** Functions, each of which ends one pause. */
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
