/** A semaphore with a bounded queue. Callers are served in the order in which they arrive. */

export interface Semaphore {
  /**
   * Waits for a free slot.
   * @param milliseconds maximum time to wait; unlimited if omitted
   * @returns false if too many callers are waiting, if the wait took too long, or if the semaphore is closed
   */
  acquire(milliseconds?: number): Promise<boolean>
  /** Frees a slot. Must be called once after each `acquire` that returned true. */
  release(): void
  /** Turns away all waiting callers and all future ones. */
  close(): void
}

/**
 * @param count maximum number of callers that hold a slot
 * @param waitingLimit maximum number of waiting callers
 */
export function createSemaphore(count: number, waitingLimit: number): Semaphore {
  let free = count
  let isOpen = true
  /** waiting callers in order of arrival */
  const waiting = new Set<(isAcquired: boolean) => void>()
  const waitUpTo = async (milliseconds: number): Promise<boolean> => {
    const turn = Promise.withResolvers<boolean>()
    waiting.add(turn.resolve)
    const giveUp = () => waiting.delete(turn.resolve) && turn.resolve(false)
    const timeout = milliseconds === Number.POSITIVE_INFINITY ? null : setTimeout(giveUp, milliseconds)
    const isAcquired = await turn.promise
    if (timeout) clearTimeout(timeout)
    return isAcquired
  }
  return {
    async acquire(milliseconds = Number.POSITIVE_INFINITY) {
      if (!isOpen) return false
      if (free > 0) {
        free -= 1
        return true
      }
      return waiting.size < waitingLimit && waitUpTo(milliseconds)
    },
    release() {
      const [next] = waiting
      if (next === undefined) {
        free += 1
        return
      }
      waiting.delete(next)
      next(true)
    },
    close() {
      isOpen = false
      for (const resolve of waiting) resolve(false)
      waiting.clear()
    },
  }
}
