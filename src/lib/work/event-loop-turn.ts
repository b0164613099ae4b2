/** A turn of the event loop, from the first call during the turn until its immediates run. */
export interface EventLoopTurn {
  /** value of `performance.now()` at the first call */
  readonly beganAt: number
  readonly isOver: boolean
  /** Resolves when the turn ends. */
  readonly end: Promise<void>
}

/**
 * Provides the current turn to all callers that request it during the turn. A turn requires one immediate, however many callers there are.
 */
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
