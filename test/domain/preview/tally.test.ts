import { expect, test } from 'bun:test'
import { busyPlaces, count, tally, totals } from '../../../src/domain/preview/tally.ts'

function counted(seen: readonly number[], possible: readonly number[]) {
  const counts = tally(seen.length)
  for (const [place, amount] of seen.entries()) count(counts.seen, place, amount)
  for (const [place, amount] of possible.entries()) count(counts.possible, place, amount)
  return counts
}

test('places are busy that come close to the busiest', () => {
  expect(busyPlaces(counted([9, 10, 2, 0], [10, 10, 10, 10]))).toEqual([0, 1])
  expect(busyPlaces(counted([1, 10], [2, 40]))).toEqual([0, 1])
})

test('a place in which nothing was possible is busy if all others are', () => {
  expect(busyPlaces(counted([4, 0, 5], [5, 0, 5]))).toEqual([0, 1, 2])
  expect(busyPlaces(counted([4, 0, 0], [5, 0, 5]))).toEqual([0])
})

test('totals are those of the given places', () => {
  expect(totals(counted([1, 2, 3], [4, 5, 6]), [0, 2])).toEqual({ seen: 4, possible: 10 })
})
