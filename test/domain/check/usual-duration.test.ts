/** Usual duration of a check's runs, and slow runs. */
import { describe, expect, test } from 'bun:test'
import { recordRun } from '../../../src/domain/check/run-history.ts'
import { isSlow, usualDuration, usualOf, usualWords } from '../../../src/domain/check/usual-duration.ts'

const SECOND = 1_000_000
const MINUTE = 60 * SECOND

/** Returns the usual duration of a check with these durations, the last run last. */
function usual(...durations: readonly number[]) {
  let runs: Uint8Array = new Uint8Array(0)
  for (const duration of durations) runs = recordRun(runs, { kind: 'ok', duration, missed: 0 })
  return usualOf({ runs, lastDuration: durations.at(-1) ?? null })
}

test('the usual range is the median, more and less twice the median deviation', () => {
  expect(usualDuration([38, 40, 36, 38, 42])).toEqual({ low: 34, high: 42 })
  expect(usualDuration([10, 10, 20, 20, 30, 30])).toEqual({ low: 0, high: 40 })
})

test('one run that took very long does not widen it', () => {
  expect(usualDuration([38, 40, 36, 38, 4_000])).toEqual({ low: 34, high: 42 })
})

describe('of the runs that a check has kept', () => {
  test('fewer than five say nothing', () => {
    expect(usual(...Array(4).fill(MINUTE))).toBeNull()
    expect(isSlow(1_000 * MINUTE, null)).toBeFalse()
  })

  test('one that takes a quarter longer than runs which all take the same time is slow', () => {
    const same = usual(...Array(5).fill(MINUTE))
    expect([60, 75, 76].map((seconds) => isSlow(seconds * SECOND, same))).toEqual([false, false, true])
  })

  test('none is slow that takes less than a quarter longer, although the history is not exact', () => {
    for (let seconds = 1; seconds < 20_000; seconds *= 1.07) {
      const runs = [0.9, 1, 0.95, 1.02, 1, 1.05, 1].map((factor) => factor * seconds * SECOND)
      const known = usual(...runs, 5 * seconds * SECOND)
      expect([1.25, 1.6].map((factor) => isSlow(factor * seconds * SECOND, known))).toEqual([false, true])
    }
  })
})

test.each([
  [{ low: 34.2 * MINUTE, high: 43.4 * MINUTE }, '34 to 43 min'],
  [{ low: 52 * MINUTE, high: 61 * MINUTE }, '52 min to 1 h 1 min'],
  [{ low: 1_000_000, high: 3_000_000 }, '1 to 3 s'],
  [{ low: 90_000_000, high: 95_000_000 }, '1 min 30 s to 1 min 35 s'],
  [{ low: 2_000_000, high: 2_000_000 }, '2 s'],
])('the usual range %j in words', (range, words) => {
  expect(usualWords(range)).toBe(words)
})
