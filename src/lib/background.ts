/** Work that nobody waits for, except the stop. */

export interface Background {
  /** @param work must not reject: it handles its own errors */
  run(work: () => Promise<void>): void
  /** Resolves when all work is done. */
  drain(): Promise<void>
}

export function createBackground(): Background {
  const running = new Set<Promise<void>>()
  return {
    run(work) {
      const done = work().finally(() => running.delete(done))
      running.add(done)
    },
    async drain() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
