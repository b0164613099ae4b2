/** A rate limit per key. The token bucket of each recently used key is kept in memory. */

import { LRUCache } from 'lru-cache'
import { atMost } from '../caches/at-most.ts'
import { type Clock, type Instant, microsecondsBetween } from '../time.ts'

/** Maximum number of keys. If there are more, the least recently used key is dropped, which has the effect of refilling its bucket. */
const BUCKETS_LIMIT = 10_000

export interface RateLimit {
  /** number of tokens added per minute; 0 disables the limit */
  readonly perMinute: number
  /** Takes a token from the key's bucket. Returns null if the limit is disabled. */
  take(lookup: string): Taken | null
}

export function createRateLimit(now: Clock, perMinute: number): RateLimit {
  const buckets = new LRUCache<string, Bucket>(atMost(BUCKETS_LIMIT))
  return {
    perMinute,
    take(lookup) {
      if (perMinute === 0) return null
      const taken = takeToken(buckets.get(lookup) ?? null, perMinute, now())
      buckets.set(lookup, taken.bucket)
      return taken
    },
  }
}

/** A token bucket. It is refilled over time, and each use takes one token. */
export interface Bucket {
  /** number of tokens, from 0 to the bucket's capacity */
  readonly level: number
  readonly updatedAt: Instant
}

interface Taken {
  readonly bucket: Bucket
  readonly allowed: boolean
  /** number of whole tokens left */
  readonly remaining: number
  /** number of seconds until the next token is available, rounded up; 0 if one already is */
  readonly retryAfterSeconds: number
  /** number of seconds until the bucket is full, rounded up */
  readonly resetSeconds: number
}

/** @param perMinute capacity of the bucket, and number of tokens added per minute */
export function takeToken(bucket: Bucket | null, perMinute: number, now: Instant): Taken {
  const elapsed = bucket === null ? 0 : Math.max(0, microsecondsBetween(bucket.updatedAt, now))
  const filled = bucket === null ? perMinute : Math.min(perMinute, bucket.level + (elapsed / 60_000_000) * perMinute)
  const allowed = filled >= 1
  const level = allowed ? filled - 1 : filled
  const secondsFor = (tokens: number) => Math.ceil((tokens / perMinute) * 60)
  return {
    bucket: { level, updatedAt: now },
    allowed,
    remaining: Math.floor(level),
    retryAfterSeconds: level >= 1 ? 0 : Math.max(1, secondsFor(1 - level)),
    resetSeconds: secondsFor(perMinute - level),
  }
}
