/** Lanes: a few pass at once, a bounded number of others wait in their order. */

export interface Lanes {
  /** Waits for a free lane. @returns false when too many wait already, or nobody passes any more */
  enter(): Promise<boolean>
  /** To be called once after each `enter` that gave true. */
  leave(): void
  /** Turns away who waits and whoever comes. */
  close(): void
}

/** @param waitingLimit how many may wait */
export function createLanes(count: number, waitingLimit: number): Lanes {
  let free = count
  let isOpen = true
  const waiting: ((mayPass: boolean) => void)[] = []
  return {
    async enter() {
      if (!isOpen) return false
      if (free > 0) {
        free -= 1
        return true
      }
      return waiting.length < waitingLimit && new Promise<boolean>((resolve) => waiting.push(resolve))
    },
    leave() {
      const next = waiting.shift()
      if (next) next(true)
      else free += 1
    },
    close() {
      isOpen = false
      for (const turnAway of waiting.splice(0)) turnAway(false)
    },
  }
}
