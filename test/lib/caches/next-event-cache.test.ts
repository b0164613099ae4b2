/** Answers that the memo knows. */
import { expect, test } from 'bun:test'
import { NextEventCache } from '../../../src/lib/caches/next-event-cache.ts'

test('an answer holds from the time that was asked about until what comes next', () => {
  const memo = new NextEventCache()
  memo.keep(10, 20)
  expect([9, 10, 19, 20].map((after) => memo.find(after))).toEqual([undefined, 20, 20, undefined])
})

test('that nothing comes next holds for ever', () => {
  const memo = new NextEventCache()
  memo.keep(10, null)
  expect([9, 10, 1e15].map((after) => memo.find(after))).toEqual([undefined, null, null])
})

test('the sixteen answers around the last question are kept, and the same answer again is no new one', () => {
  const memo = new NextEventCache()
  for (let time = 10; time <= 160; time += 10) memo.keep(time, time + 5)
  for (let from = 164; from > 154; from--) memo.keep(from, 165)
  expect([10, 14, 100, 164].map((after) => memo.find(after))).toEqual([15, 15, 105, 165])
  memo.keep(170, 175)
  expect([10, 20, 170].map((after) => memo.find(after))).toEqual([undefined, 25, 175])
})

test('questions about a far future forget those about the present, and the other way round', () => {
  const memo = new NextEventCache(2)
  for (const time of [10, 20, 1000]) memo.keep(time, time + 5)
  expect([10, 20, 1000].map((after) => memo.find(after))).toEqual([undefined, 25, 1005])
  memo.keep(10, 15)
  expect([10, 20, 1000].map((after) => memo.find(after))).toEqual([15, 25, undefined])
})
