/**
 * Limits the number of uses per key within any period of a given length. The limit is exact, because the time of each use is kept in
 * memory.
 */
import { LRUCache } from 'lru-cache'
import { atMost } from '../caches/at-most.ts'
import type { Clock } from '../time.ts'

/** Maximum number of keys. If there are more, the least recently used key and its uses are dropped. */
const KEYS_LIMIT = 10_000

export interface Uses {
  /** number of uses that are still allowed */
  readonly left: number
  /**
   * seconds until the oldest use no longer counts, rounded up; 0 if there are no uses. If no more uses are allowed, callers have to wait
   * this long
   */
  readonly oldestEndsSeconds: number
}

interface SlidingWindow {
  /** Returns the key's uses without counting a new one. */
  look(key: string): Uses
  /** Counts a use, even if no more are allowed. */
  count(key: string): Uses
  /** Undoes the key's newest use, if there is one. */
  takeBack(key: string): void
  /** Deletes all of the key's uses. */
  clear(key: string): void
}

/**
 * @param limit maximum number of uses per key in any period of `windowSeconds`. Keys should be short, because up to 10,000 of them are kept
 * in memory
 */
export function createSlidingWindow(now: Clock, limit: number, windowSeconds: number): SlidingWindow {
  const window = windowSeconds * 1000
  /** The times of each key's uses in milliseconds, oldest first. */
  const kept = new LRUCache<string, readonly number[]>(atMost(KEYS_LIMIT))
  const timesOf = (key: string, at: number): readonly number[] =>
    // If the clock was set back, a use must not count for longer than the window.
    (kept.get(key) ?? []).map((time) => Math.min(time, at)).filter((time) => at - time < window)
  const usesOf = (times: readonly number[], at: number): Uses => ({
    left: Math.max(0, limit - times.length),
    oldestEndsSeconds: times[0] === undefined ? 0 : Math.ceil((times[0] + window - at) / 1000),
  })
  return {
    look(key) {
      const at = now().epochMilliseconds
      return usesOf(timesOf(key, at), at)
    },
    count(key) {
      const at = now().epochMilliseconds
      const times = [...timesOf(key, at), at].slice(-limit)
      kept.set(key, times)
      return usesOf(times, at)
    },
    takeBack(key) {
      const times = timesOf(key, now().epochMilliseconds)
      if (times.length > 0) kept.set(key, times.slice(0, -1))
    },
    clear(key) {
      kept.delete(key)
    },
  }
}
