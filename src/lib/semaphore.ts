/** A semaphore with a bounded queue, served in order. */

export interface Semaphore {
  /** Waits for a free slot. @returns false when too many are waiting, or the semaphore is closed */
  acquire(): Promise<boolean>
  /** Call it once after each `acquire` that returned true. */
  release(): void
  /** Refuses all waiting and later callers. */
  close(): void
}

/** @param count number of holders at once @param waitingLimit number of waiting callers */
export function createSemaphore(count: number, waitingLimit: number): Semaphore {
  let free = count
  let isOpen = true
  const waiting: ((isAcquired: boolean) => void)[] = []
  return {
    async acquire() {
      if (!isOpen) return false
      if (free > 0) {
        free -= 1
        return true
      }
      return waiting.length < waitingLimit && new Promise<boolean>((resolve) => waiting.push(resolve))
    },
    release() {
      const next = waiting.shift()
      if (next) next(true)
      else free += 1
    },
    close() {
      isOpen = false
      for (const resolve of waiting.splice(0)) resolve(false)
    },
  }
}
