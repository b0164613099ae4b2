/** How often something may be done for a key: a token bucket each, in memory, for as many keys as were used lately. */
import type { Clock } from '../domain/time.ts'
import { type Bucket, type Taken, takeToken } from '../domain/token-bucket.ts'

/** A key that was not used for longest is forgotten, which fills its bucket again. */
const BUCKETS_LIMIT = 10_000

export interface RateLimit {
  /** 0 switches the limit off */
  readonly perMinute: number
  /** Takes one token of the key; null when there is no limit. */
  take(lookup: string): Taken | null
}

export function createRateLimit(now: Clock, perMinute: number): RateLimit {
  const buckets = new Map<string, Bucket>()
  return {
    perMinute,
    take(lookup) {
      if (perMinute === 0) return null
      const taken = takeToken(buckets.get(lookup) ?? null, perMinute, now())
      // Taken out and put back, the key moves to the end: a Map keeps the order of insertion.
      buckets.delete(lookup)
      buckets.set(lookup, taken.bucket)
      const [oldest] = buckets.keys()
      if (buckets.size > BUCKETS_LIMIT && oldest !== undefined) buckets.delete(oldest)
      return taken
    },
  }
}
