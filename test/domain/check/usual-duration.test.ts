import { expect, test } from 'bun:test'
import { isSlow, usualDuration } from '../../../src/domain/check/usual-duration.ts'

test('the usual range is the median, more and less twice the median deviation', () => {
  expect(usualDuration([38, 40, 36, 38, 42])).toEqual({ low: 34, high: 42 })
  expect(usualDuration([10, 10, 20, 20, 30, 30])).toEqual({ low: 0, high: 40 })
})

test('one run that took very long does not widen it', () => {
  expect(usualDuration([38, 40, 36, 38, 4_000])).toEqual({ low: 34, high: 42 })
})

test('fewer than five runs say nothing', () => {
  expect(usualDuration([38, 40, 36, 38])).toBeNull()
  expect(isSlow(1_000, null)).toBeFalse()
})

test('a run is slow when it took longer than usual, and a quarter longer than the median', () => {
  const usual = usualDuration([38, 40, 36, 38, 42])
  expect([42, 47, 48].map((duration) => isSlow(duration, usual))).toEqual([false, false, true])
  const wide = usualDuration([10, 20, 30, 40, 50])
  expect([50, 51].map((duration) => isSlow(duration, wide))).toEqual([false, true])
})
