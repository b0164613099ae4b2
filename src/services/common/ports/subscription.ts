/** The pending updates of one reader. If a reader is too slow, its updates are dropped and the reader is notified. */
import type { LiveUpdate } from './live-update.ts'

const WAITING_LIMIT = 8

export class Subscription {
  readonly #wants: (update: LiveUpdate) => boolean
  readonly #onClose: () => void
  #waiting: LiveUpdate[] = []
  #isClosed = false
  #wake: (() => void) | null = null

  /** @param wants returns true if the reader wants the update; other updates are dropped */
  constructor(wants: (update: LiveUpdate) => boolean, onClose: () => void) {
    this.#wants = wants
    this.#onClose = onClose
  }

  push(update: LiveUpdate): void {
    if (this.#isClosed || !this.#wants(update)) return
    if (this.#waiting.length >= WAITING_LIMIT) this.#waiting = [{ kind: 'lost' }]
    this.#waiting.push(update)
    this.#wake?.()
  }

  /** Resolves with the next update, or with null after the subscription ends. Only one caller may wait at a time. */
  async next(): Promise<LiveUpdate | null> {
    while (!this.#isClosed) {
      const update = this.#waiting.shift()
      if (update) return update
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return null
  }

  /**
   * Removes all pending updates about checks, for a reader that will read the current state itself.
   * @returns the newest of these updates; null if there are none
   */
  takeNewest(): LiveUpdate | null {
    const newest = this.#waiting.findLast(({ kind }) => kind === 'project') ?? null
    this.#waiting = this.#waiting.filter(({ kind }) => kind !== 'project')
    return newest
  }

  /** Ends the subscription. A caller that is waiting for the next update gets null. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#waiting = []
    this.#wake?.()
    this.#onClose()
  }
}
