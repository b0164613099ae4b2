/** One turn of the event loop: from the first work that asks for it until its immediates run. */
export interface EventLoopTurn {
  /** on the clock of `performance.now()` */
  readonly beganAt: number
  readonly isOver: boolean
  /** Resolves when the turn is over. */
  readonly end: Promise<void>
}

/** The turn that is under way, shared by all who ask in it: one immediate for each turn, none while nobody asks. */
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
