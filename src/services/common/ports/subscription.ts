/** The pending updates of one reader. They are few: a reader that is too slow loses them, and is notified. */
import type { LiveUpdate } from './live-update.ts'

const WAITING_LIMIT = 8

export class Subscription {
  readonly #wants: (update: LiveUpdate) => boolean
  readonly #onClose: () => void
  #waiting: LiveUpdate[] = []
  #isClosed = false
  #wake: (() => void) | null = null

  /** @param wants called for each update; refused updates are not kept */
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

  /** Resolves with the next update; null after the end. One caller at a time. */
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

  /** Takes all pending updates of checks, for a reader who reads the current state itself. @returns the newest; null without any */
  takeNewest(): LiveUpdate | null {
    const newest = this.#waiting.findLast(({ kind }) => kind === 'project') ?? null
    this.#waiting = this.#waiting.filter(({ kind }) => kind !== 'project')
    return newest
  }

  /** Ends the subscription. A caller that waits for the next update gets null. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#waiting = []
    this.#wake?.()
    this.#onClose()
  }
}
