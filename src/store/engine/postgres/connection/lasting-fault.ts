/** Faults that last until the operator fixes them, although PostgreSQL answers. Each is reported once rather than on every request. */
import type { Refusal } from '../../../../domain/errors.ts'
import { lastingReason, unavailable } from './faults.ts'

/** Number of milliseconds without a fault after which it counts as fixed. On a full disk, some small writes may still succeed. */
const QUIET_MS = 5_000

export class LastingFault {
  readonly #onFault: (words: string | null) => void
  readonly #now: () => number
  #reason: string | null = null
  #lastMetAt = 0

  /**
   * @param onFault called with a description of the problem and what to do about it, and with null when the problem is over
   * @param now monotonic milliseconds
   */
  constructor(onFault: (words: string | null) => void, now: () => number = () => performance.now()) {
    this.#onFault = onFault
    this.#now = now
  }

  /** @returns the refusal for the failed write; null if the error is not a lasting one */
  writeFailed(error: unknown): Refusal | null {
    const reason = lastingReason(error)
    if (reason === null) return null
    if (this.#reason === null) this.#onFault(`the database cannot be used: ${reason}`)
    this.#reason = reason
    this.#lastMetAt = this.#now()
    return unavailable(reason, true, error)
  }

  /** Call this method after each successful write. */
  writeSucceeded(): void {
    if (this.#reason === null || this.#now() < this.#lastMetAt + QUIET_MS) return
    this.#reason = null
    this.#onFault(null)
  }

  /** @throws Refusal if writes have failed recently */
  refuse(): void {
    if (this.#reason !== null) throw unavailable(this.#reason, true)
  }
}
