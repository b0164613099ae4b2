/** The token bucket of a key. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Bucket, takeToken } from '../../../src/lib/limits/token-bucket.ts'
import { addSeconds, fromMicroseconds, type Instant, toMicroseconds } from '../../../src/lib/time.ts'
import { at, NOON } from '../../support/builders.ts'

const PER_MINUTE = 100

/** Takes `count` tokens at once. */
function drained(count: number, bucket: Bucket | null = null, now: Instant = NOON): Bucket {
  const taken = takeToken(bucket, PER_MINUTE, now)
  return count === 1 ? taken.bucket : drained(count - 1, taken.bucket, now)
}

describe('a bucket', () => {
  test('begins full', () => {
    expect(takeToken(null, PER_MINUTE, NOON)).toEqual({
      bucket: { level: 99, updatedAt: NOON },
      allowed: true,
      remaining: 99,
      retryAfterSeconds: 0,
      resetSeconds: 1,
    })
  })

  test('gives all its tokens at once, and then none', () => {
    const last = takeToken(drained(99), PER_MINUTE, NOON)
    expect(last).toMatchObject({ allowed: true, remaining: 0, retryAfterSeconds: 1, resetSeconds: 60 })
    expect(takeToken(last.bucket, PER_MINUTE, NOON)).toMatchObject({
      allowed: false,
      remaining: 0,
      retryAfterSeconds: 1,
      resetSeconds: 60,
    })
  })

  test('gives another as soon as one is added', () => {
    const empty = drained(100)
    expect(takeToken(empty, PER_MINUTE, at('12:00:00.599999')).allowed).toBe(false)
    expect(takeToken(empty, PER_MINUTE, at('12:00:00.6')).allowed).toBe(true)
  })

  test('is not delayed by refused uses', () => {
    const halfway = takeToken(drained(100), PER_MINUTE, at('12:00:00.3'))
    expect(halfway.allowed).toBe(false)
    expect(takeToken(halfway.bucket, PER_MINUTE, at('12:00:00.6')).allowed).toBe(true)
  })

  test('is full again after a minute, and never fuller', () => {
    expect(takeToken(drained(100), PER_MINUTE, at('12:01')).bucket.level).toBe(99)
    expect(takeToken(drained(100), PER_MINUTE, at('23:00')).bucket.level).toBe(99)
  })

  test('neither fills nor empties when the clock is set back', () => {
    expect(takeToken(drained(50), PER_MINUTE, at('11:00'))).toMatchObject({ allowed: true, remaining: 49 })
  })

  test('says how long it is empty', () => {
    const { bucket } = takeToken(null, 2, NOON)
    const none = takeToken(takeToken(bucket, 2, NOON).bucket, 2, at('12:00:15'))
    expect(none).toMatchObject({ allowed: false, retryAfterSeconds: 15, resetSeconds: 45 })
  })
})

const waits = fc.array(fc.integer({ min: 0, max: 2_000_000 }), { maxLength: 60 })

test('waiting for the given time is always enough, and the bucket is full when it says', () => {
  const property = fc.property(fc.integer({ min: 1, max: 50 }), waits, (perMinute, gaps) => {
    let bucket: Bucket | null = null
    let now = NOON
    for (const gap of gaps) {
      now = fromMicroseconds(toMicroseconds(now) + gap)
      const taken = takeToken(bucket, perMinute, now)
      bucket = taken.bucket
      expect(taken.remaining).toBe(Math.floor(bucket.level))
      expect(takeToken(bucket, perMinute, addSeconds(now, taken.retryAfterSeconds)).allowed).toBe(true)
      expect(takeToken(bucket, perMinute, addSeconds(now, taken.resetSeconds)).bucket.level).toBeCloseTo(
        perMinute - 1,
        6,
      )
    }
  })
  fc.assert(property)
})

test('any minute allows no more than a full bucket and the tokens added', () => {
  const property = fc.property(fc.integer({ min: 1, max: 20 }), waits, (perMinute, gaps) => {
    let bucket: Bucket | null = null
    let elapsed = 0
    let allowed = 0
    for (const gap of gaps) {
      elapsed += gap
      const taken = takeToken(bucket, perMinute, fromMicroseconds(toMicroseconds(NOON) + elapsed))
      bucket = taken.bucket
      if (taken.allowed) allowed++
      expect(bucket.level).toBeGreaterThanOrEqual(0)
    }
    expect(allowed).toBeLessThanOrEqual(perMinute + (elapsed / 60_000_000) * perMinute + 1e-6)
  })
  fc.assert(property)
})
