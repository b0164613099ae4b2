/** A turn of the event loop, from its first use until its immediates run. */
export interface EventLoopTurn {
  /** on the clock of `performance.now()` */
  readonly beganAt: number
  readonly isOver: boolean
  /** Resolves when the turn is over. */
  readonly end: Promise<void>
}

/** Provides the current turn, shared by all callers in it: one immediate for each turn, none without callers. */
export class EventLoopTurns {
  #current: EventLoopTurn | null = null

  current(): EventLoopTurn {
    this.#current ??= this.#begin()
    return this.#current
  }

  #begin(): EventLoopTurn {
    const { promise: end, resolve } = Promise.withResolvers<void>()
    const turn = { beganAt: performance.now(), isOver: false, end }
    setImmediate(() => {
      this.#current = null
      turn.isOver = true
      resolve()
    })
    return turn
  }
}
