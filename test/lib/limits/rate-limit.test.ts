import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Bucket, createRateLimit, takeToken } from '../../../src/lib/limits/rate-limit.ts'
import { addSeconds, fromMicroseconds, type Instant, toMicroseconds } from '../../../src/lib/time.ts'
import { at, NOON } from '../../support/builders.ts'
import { handClock } from '../../support/clock.ts'

test("a key may make a minute's calls at once, and then one for each fraction of a minute that passes", () => {
  const clock = handClock()
  const limit = createRateLimit(clock.now, 6)
  const allowed = () => limit.take('key')?.allowed
  expect(Array.from({ length: 7 }, allowed)).toEqual([true, true, true, true, true, true, false])
  expect(limit.take('key')).toMatchObject({ remaining: 0, retryAfterSeconds: 10 })
  clock.advance({ milliseconds: 9_999 })
  expect(allowed()).toBe(false)
  clock.advance({ milliseconds: 1 })
  expect([allowed(), allowed()]).toEqual([true, false])
  clock.advance({ minutes: 10 })
  expect(Array.from({ length: 7 }, allowed)).toEqual([true, true, true, true, true, true, false])
})

test('each key has a bucket of its own', () => {
  const limit = createRateLimit(handClock().now, 1)
  expect(['a', 'a', 'b', 'b'].map((key) => limit.take(key)?.allowed)).toEqual([true, false, true, false])
})

test('says how many calls are left and when the bucket is full again', () => {
  const limit = createRateLimit(handClock().now, 60)
  expect(limit.take('key')).toMatchObject({ allowed: true, remaining: 59, retryAfterSeconds: 0, resetSeconds: 1 })
  expect(limit.take('key')).toMatchObject({ allowed: true, remaining: 58, resetSeconds: 2 })
})

test('a limit of 0 means no limit', () => {
  const limit = createRateLimit(handClock().now, 0)
  expect(limit.perMinute).toBe(0)
  expect(limit.take('key')).toBeNull()
})

test('a clock that is set back takes nothing away and gives nothing twice', () => {
  const clock = handClock()
  const limit = createRateLimit(clock.now, 2)
  limit.take('key')
  clock.advance({ hours: -1 })
  expect(limit.take('key')?.allowed).toBe(true)
  expect(limit.take('key')?.allowed).toBe(false)
})

test('beyond the limit of keys, the least recently used one is forgotten', () => {
  const limit = createRateLimit(handClock().now, 1)
  limit.take('first')
  limit.take('second')
  expect(limit.take('first')?.allowed).toBe(false)
  for (let index = 0; index < 9_999; index += 1) limit.take(`key ${index}`)
  expect(limit.take('first')?.allowed).toBe(false)
  expect(limit.take('second')?.allowed).toBe(true)
})

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
