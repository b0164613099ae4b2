/** A rate limit per key, with a token bucket in memory for each recently used key. */

import { LRUCache } from 'lru-cache'
import { atMost } from '../caches/at-most.ts'
import { type Clock, type Instant, microsecondsBetween } from '../time.ts'

/** Maximum number of keys. Beyond it, the least recently used key is dropped, which has the effect of refilling its bucket. */
const BUCKETS_LIMIT = 10_000

export interface RateLimit {
  /** tokens added per minute; 0 disables the limit */
  readonly perMinute: number
  /** Takes one of the key's tokens. Returns null if there is no limit. */
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

/** A token bucket. It refills over time, and each allowed use takes one token. */
export interface Bucket {
  /** number of tokens, 0 to the capacity */
  readonly level: number
  readonly updatedAt: Instant
}

interface Taken {
  readonly bucket: Bucket
  readonly allowed: boolean
  /** number of whole tokens left */
  readonly remaining: number
  /** whole seconds until the next token; 0 if one is available */
  readonly retryAfterSeconds: number
  /** whole seconds until the bucket is full */
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
