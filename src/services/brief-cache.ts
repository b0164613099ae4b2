/**
 * Keeps what was read for a short time, unless what it follows from has changed: whoever asks meanwhile, or while it is
 * being read, gets the same.
 */
import { addSeconds, type Clock, type Instant, isBefore } from '../domain/time.ts'

export interface BriefCacheOptions {
  readonly now: Clock
  /** counted from when it was read */
  readonly seconds: number
  /** values kept at most; those read longest ago go first */
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
   * @param revision of what is read now; a value of another one is read anew
   * @throws whatever `read` does, and then nothing is kept
   */
  get(key: string, revision: string, read: () => Promise<Value>): Promise<Value> {
    const kept = this.#entries.get(key)
    if (kept?.revision === revision && this.#isFresh(kept)) return kept.value
    const entry: Entry<Value> = { revision, value: read(), readAt: null }
    // Taken out first: a Map keeps the order of insertion, and the oldest has to come first.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    this.#forgetOldest()
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
    // A clock that was put back must not keep a value for longer.
    return isBefore(now(), addSeconds(readAt, seconds)) && !isBefore(now(), readAt)
  }

  #forgetOldest(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#entries.size <= this.#options.capacity && this.#isFresh(entry)) return
      this.#entries.delete(key)
    }
  }
}
