/** Faults that last until somebody mends them, although PostgreSQL answers. They are told once, not with each request. */
import type { Refusal } from '../../../../domain/errors.ts'
import { lastingReason, unavailable } from './faults.ts'

/** Where the disk is full, small writes may still succeed. */
const QUIET_MS = 5_000

export class Trouble {
  readonly #onFault: (words: string | null) => void
  readonly #now: () => number
  #reason: string | null = null
  #lastMetAt = 0

  /**
   * @param onFault called with what is wrong and what to do, and with null when it is over
   * @param now monotonic milliseconds
   */
  constructor(onFault: (words: string | null) => void, now: () => number = () => performance.now()) {
    this.#onFault = onFault
    this.#now = now
  }

  /** @returns the refusal of the write that has failed so; null if the error is none that lasts */
  met(error: unknown): Refusal | null {
    const reason = lastingReason(error)
    if (reason === null) return null
    if (this.#reason === null) this.#onFault(`the database cannot be used: ${reason}`)
    this.#reason = reason
    this.#lastMetAt = this.#now()
    return unavailable(reason, true, error)
  }

  /** Call it after each write that succeeded. */
  passed(): void {
    if (this.#reason === null || this.#now() < this.#lastMetAt + QUIET_MS) return
    this.#reason = null
    this.#onFault(null)
  }

  /** @throws Refusal if writes have failed lately */
  refuse(): void {
    if (this.#reason !== null) throw unavailable(this.#reason, true)
  }
}
