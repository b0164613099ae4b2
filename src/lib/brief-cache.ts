/** Caches what was read for a short time, until its revision changes. Callers that ask during a read share it. */
import { addSeconds, type Clock, type Instant, isBefore } from './time.ts'

export interface BriefCacheOptions {
  readonly now: Clock
  /** counted from the end of the read */
  readonly seconds: number
  /** maximum number of values; the oldest are evicted first */
  readonly capacity: number
}

interface Entry<Value> {
  readonly revision: string
  readonly value: Promise<Value>
  /** null while it is being read */
  readAt: Instant | null
}

export class BriefCache<Value> {
  readonly #options: BriefCacheOptions
  readonly #entries = new Map<string, Entry<Value>>()

  constructor(options: BriefCacheOptions) {
    this.#options = options
  }

  /**
   * @param revision the current revision; a value of another revision is read again
   * @throws whatever `read` throws, and then nothing is kept
   */
  get(key: string, revision: string, read: () => Promise<Value>): Promise<Value> {
    const kept = this.#entries.get(key)
    if (kept?.revision === revision && this.#isFresh(kept)) return kept.value
    const entry: Entry<Value> = { revision, value: read(), readAt: null }
    // Deleted first, because a Map keeps insertion order and the oldest must come first.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    this.#evictOldest()
    entry.value.then(
      () => {
        entry.readAt = this.#options.now()
      },
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key)
      },
    )
    return entry.value
  }

  #isFresh({ readAt }: Entry<Value>): boolean {
    if (readAt === null) return true
    const { now, seconds } = this.#options
    // A clock that was set back must not keep a value for longer.
    return isBefore(now(), addSeconds(readAt, seconds)) && !isBefore(now(), readAt)
  }

  #evictOldest(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#entries.size <= this.#options.capacity && this.#isFresh(entry)) return
      this.#entries.delete(key)
    }
  }
}
