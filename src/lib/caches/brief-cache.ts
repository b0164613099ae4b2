/** Caches values for a short time or until their revision changes. Concurrent callers share a read. */
import { addSeconds, type Clock, type Instant, isBefore, microsecondsBetween } from '../time.ts'

/**
 * Maximum time in seconds for which `share` keeps a value. Without it, a clock that is set forward during a read could keep the value for
 * hours.
 */
const MOST_SECONDS = 60

interface BriefCacheOptions {
  readonly now: Clock
  /** seconds for which a value is fresh, counted from the end of its read */
  readonly seconds: number
  /**
   * seconds, also counted from the end of the read, during which callers get the old value while the next one is read; if unset, callers
   * wait for the next one
   */
  readonly staleSeconds?: number
  /** maximum share of the time that may be spent on rereading a value: a value that took long to read is kept longer */
  readonly share?: number
  /** Groups keys: the `share` applies to all keys of a group together. If unset, it applies to each key. */
  readonly shareOf?: (key: string) => string
  /** maximum number of values; the oldest ones are evicted first */
  readonly capacity: number
}

interface Entry<Value> {
  /** see `shareOf` */
  readonly sharer: string
  readonly revision: string
  readonly value: Promise<Value>
  /** null while it is being read */
  readAt: Instant | null
  /** duration of the read */
  seconds: number
  /** the read that will replace this value; null until a caller starts it */
  next: Promise<Value> | null
}

export class BriefCache<Value> {
  readonly #options: BriefCacheOptions
  readonly #entries = new Map<string, Entry<Value>>()

  constructor(options: BriefCacheOptions) {
    this.#options = options
  }

  /**
   * @param revision the current revision; a value of another revision is read again
   * @throws whatever `read` throws. The cache then keeps nothing, and the next caller reads again. Callers that got the old value do not
   * see the error
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
    // Deletes the key first, because a Map keeps insertion order and the oldest entry must be first.
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

  /** Returns the total duration of a read of each value that has the same `share` and is still requested. */
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
    // Setting the clock back must not keep a value for longer.
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
