import { expect, test } from 'bun:test'
import { boundOf, runHistogram } from '../../../src/domain/metrics/run-durations.ts'

test.each([
  [0, 1],
  [1_000_000, 1],
  [1_000_001, 5],
  [86_400_000_000, 86_400],
  [86_400_000_001, Number.POSITIVE_INFINITY],
])('a run of %d microseconds is in the bucket of %d seconds', (duration, bound) => {
  expect(boundOf(duration)).toBe(bound)
})

test('there is no histogram without runs', () => {
  expect(runHistogram([])).toBeNull()
})

test('buckets in any order become counts in order of their bounds, in seconds', () => {
  const buckets = [
    { bound: Number.POSITIVE_INFINITY, runs: 1, total: 100_000_000_000 },
    { bound: 5, runs: 2, total: 7_500_000 },
    { bound: 1, runs: 3, total: 300_000 },
  ]
  const bounds = [1, 5, 15, 60, 300, 900, 3600, 14_400, 43_200, 86_400]
  expect(runHistogram(buckets)).toEqual({ bounds, counts: [3, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1], sum: 100_007.8 })
})

test('runs under a bound that is no longer used count towards the next larger one', () => {
  const histogram = runHistogram([
    { bound: 30, runs: 2, total: 40_000_000 },
    { bound: 60, runs: 1, total: 60_000_000 },
  ])
  expect(histogram?.counts.slice(0, 5)).toEqual([0, 0, 0, 3, 0])
})
