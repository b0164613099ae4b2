/** Caches values for a short time or until their revision changes. Concurrent callers share a single read. */
import { addSeconds, type Clock, type Instant, isBefore, microsecondsBetween } from '../time.ts'

/**
 * Maximum number of seconds for which a value is kept because of `share`. Without a maximum, a value could be kept for hours if the clock
 * was set forward during the read.
 */
const MOST_SECONDS = 60

interface BriefCacheOptions {
  readonly now: Clock
  /** number of seconds for which a value is fresh after it has been read */
  readonly seconds: number
  /**
   * number of seconds after a read during which callers may get the old value while the next one is being read; if unset, callers wait for
   * the next value
   */
  readonly staleSeconds?: number
  /** maximum fraction of time to spend rereading a value; values that are slow to read are kept longer */
  readonly share?: number
  /** Groups keys: `share` applies to all keys in a group together. If unset, it applies to each key separately. */
  readonly shareOf?: (key: string) => string
  /** maximum number of values; the oldest one is evicted first */
  readonly capacity: number
}

interface Entry<Value> {
  /** see `shareOf` */
  readonly sharer: string
  readonly revision: string
  readonly value: Promise<Value>
  /** null while the value is being read */
  readAt: Instant | null
  /** duration of the read, in seconds */
  seconds: number
  /** the read that will replace this value; null until a caller starts one */
  next: Promise<Value> | null
}

export class BriefCache<Value> {
  readonly #options: BriefCacheOptions
  readonly #entries = new Map<string, Entry<Value>>()

  constructor(options: BriefCacheOptions) {
    this.#options = options
  }

  /**
   * Returns the cached value, or reads it.
   * @param revision the current revision; a value with a different revision is reread
   * @throws any error thrown by `read`. In that case, nothing is cached, and the value is reread for the next caller. Callers that got the
   * old value are not affected
   */
  get(key: string, revision: string, read: () => Promise<Value>): Promise<Value> {
    const kept = this.#entries.get(key)
    if (kept?.revision !== revision) return this.#add(key, revision, read)
    if (this.#isWithin(kept, this.#freshSeconds(kept))) return kept.value
    const isUsable = this.#isUsable(kept)
    kept.next ??= isUsable ? this.#renew(key, kept, read) : this.#add(key, revision, read)
    return isUsable ? kept.value : kept.next
  }

  #add(key: string, revision: string, read: () => Promise<Value>): Promise<Value> {
    const beganAt = this.#options.now()
    const sharer = this.#options.shareOf?.(key) ?? key
    const entry: Entry<Value> = { sharer, revision, value: read(), readAt: null, seconds: 0, next: null }
    this.#put(key, entry)
    entry.value.then(
      () => {
        entry.readAt = this.#options.now()
        entry.seconds = secondsBetween(beganAt, entry.readAt)
      },
      () => this.#drop(key, entry),
    )
    return entry.value
  }

  #renew(key: string, kept: Entry<Value>, read: () => Promise<Value>): Promise<Value> {
    const beganAt = this.#options.now()
    const next = read()
    next.then(
      () => {
        if (this.#entries.get(key) !== kept) return
        const readAt = this.#options.now()
        const seconds = secondsBetween(beganAt, readAt)
        this.#put(key, { ...kept, value: next, readAt, seconds, next: null })
      },
      () => this.#drop(key, kept),
    )
    return next
  }

  #put(key: string, entry: Entry<Value>): void {
    // Deletes the key first, because a Map keeps insertion order and the oldest entry must come first.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    this.#evictOldest()
  }

  #drop(key: string, entry: Entry<Value>): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key)
  }

  #isUsable(entry: Entry<Value>): boolean {
    return this.#isWithin(entry, Math.max(this.#options.staleSeconds ?? 0, this.#freshSeconds(entry)))
  }

  #freshSeconds(entry: Entry<Value>): number {
    const { seconds, share } = this.#options
    if (share === undefined) return seconds
    return Math.max(seconds, Math.min(MOST_SECONDS, Math.ceil(this.#secondsOfAll(entry) / share)))
  }

  /** Returns the total duration of the reads of all values in the same group (see `shareOf`) that are still requested. */
  #secondsOfAll(entry: Entry<Value>): number {
    if (this.#options.shareOf === undefined) return entry.seconds
    let sum = 0
    for (const each of this.#entries.values()) {
      if (each.sharer === entry.sharer && (each === entry || this.#isWithin(each, MOST_SECONDS))) sum += each.seconds
    }
    return sum
  }

  #isWithin({ readAt }: Entry<Value>, seconds: number): boolean {
    if (readAt === null) return true
    const { now } = this.#options
    // If the clock was set back, the value expires, so that it is not kept too long.
    return isBefore(now(), addSeconds(readAt, seconds)) && !isBefore(now(), readAt)
  }

  #evictOldest(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#entries.size <= this.#options.capacity && this.#isUsable(entry)) return
      this.#entries.delete(key)
    }
  }
}

function secondsBetween(from: Instant, until: Instant): number {
  return microsecondsBetween(from, until) / 1_000_000
}
