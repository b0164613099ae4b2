import { expect, test } from 'bun:test'
import { createRateLimit } from '../../../src/lib/limits/rate-limit.ts'
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
