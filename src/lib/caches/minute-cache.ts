/** Caches values for a minute. Concurrent callers share a single read. Callers that can't wait can use the last value. */
import { LRUCache } from 'lru-cache'
import { atMost } from './at-most.ts'

interface FromCache<Value> {
  /** a value that is at most a minute old */
  readonly fresh: Promise<Value>
  /** the last value; null if there is none, or if it is more than five minutes old */
  readonly kept: Value | null
}

interface Kept<Value> {
  readonly value: Value
  /** milliseconds since 1970 */
  readonly readAt: number
}

const FRESH_MS = 60_000
const STALE_MS = 300_000

export class MinuteCache<Value extends object> {
  readonly #kept: LRUCache<string, Kept<Value>>
  readonly #reading = new Map<string, Promise<Value>>()

  /** @param capacity number of values; the least recently used one is evicted first */
  constructor(capacity: number) {
    this.#kept = new LRUCache(atMost(capacity))
  }

  /**
   * Returns the cached value, and starts a read if it is too old.
   * @param now milliseconds since 1970
   * @throws any error thrown by `read`, but only to callers that wait for the read. The value is reread for the next caller
   */
  get(key: string, now: number, read: () => Promise<Value>): FromCache<Value> {
    const kept = this.#kept.get(key)
    const age = kept === undefined ? Number.POSITIVE_INFINITY : Math.abs(now - kept.readAt)
    if (kept && age < FRESH_MS) return { fresh: Promise.resolve(kept.value), kept: kept.value }
    return {
      fresh: this.#reading.get(key) ?? this.#begin(key, now, read),
      kept: kept && age < STALE_MS ? kept.value : null,
    }
  }

  #begin(key: string, now: number, read: () => Promise<Value>): Promise<Value> {
    const reading = read()
      .then((value) => {
        this.#kept.set(key, { value, readAt: now })
        return value
      })
      .finally(() => this.#reading.delete(key))
    this.#reading.set(key, reading)
    return reading
  }
}
