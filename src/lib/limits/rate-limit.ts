/** A rate limit per key: a token bucket in memory for each recently used key. */
import type { Clock } from '../time.ts'
import { type Bucket, type Taken, takeToken } from './token-bucket.ts'

/** The least recently used key is forgotten, which refills its bucket. */
const BUCKETS_LIMIT = 10_000

export interface RateLimit {
  /** 0 disables the limit */
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
      // Deleted and inserted again, the key moves to the end: a Map keeps insertion order.
      buckets.delete(lookup)
      buckets.set(lookup, taken.bucket)
      const [oldest] = buckets.keys()
      if (buckets.size > BUCKETS_LIMIT && oldest !== undefined) buckets.delete(oldest)
      return taken
    },
  }
}
