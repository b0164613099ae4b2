/**
 * Below which id all pings are committed. Ids are reserved before the commit, so a ping with a lower id may be committed later than one
 * with a higher id. A transaction has begun when it reserves ids, so once all that had begun have ended, the ids from before are known.
 */

/** What PostgreSQL says at one moment. */
export interface Reserved {
  /** the first id that nobody has reserved yet */
  readonly unreserved: number
  /** number of the oldest transaction that has not ended */
  readonly oldest: number
  /** number of the next transaction that begins */
  readonly next: number
}

export class KnownIds {
  #below = 0
  /** what was said before, until the transactions of then have ended */
  #awaited: Reserved | null = null

  /** @returns all pings with lower ids were committed when PostgreSQL said so */
  below(now: Reserved): number {
    const hasEnded = this.#awaited === null || now.oldest >= this.#awaited.next
    if (hasEnded) {
      this.#below = this.#awaited?.unreserved ?? 0
      this.#awaited = now
    }
    if (now.oldest === now.next) this.#below = now.unreserved
    return this.#below
  }
}
