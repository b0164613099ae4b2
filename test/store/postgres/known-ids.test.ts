import { expect, test } from 'bun:test'
import { KnownIds } from '../../../src/store/postgres/known-ids.ts'

test('without transactions under way, all ids that were reserved are known', () => {
  expect(new KnownIds().below({ unreserved: 4_097, oldest: 7, next: 7 })).toBe(4_097)
})

test('ids are known once the transactions that had begun when they were reserved have ended', () => {
  const ids = new KnownIds()
  expect(ids.below({ unreserved: 100, oldest: 5, next: 8 })).toBe(0)
  expect(ids.below({ unreserved: 200, oldest: 7, next: 10 })).toBe(0)
  expect(ids.below({ unreserved: 300, oldest: 8, next: 12 })).toBe(100)
  expect(ids.below({ unreserved: 400, oldest: 11, next: 13 })).toBe(100)
  expect(ids.below({ unreserved: 500, oldest: 12, next: 14 })).toBe(300)
})

test('what is known stays known', () => {
  const ids = new KnownIds()
  ids.below({ unreserved: 100, oldest: 5, next: 8 })
  expect(ids.below({ unreserved: 300, oldest: 12, next: 12 })).toBe(300)
  expect(ids.below({ unreserved: 400, oldest: 12, next: 13 })).toBe(300)
  expect(ids.below({ unreserved: 500, oldest: 12, next: 14 })).toBe(300)
})
