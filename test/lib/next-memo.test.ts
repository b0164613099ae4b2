/** Which answers the memo knows. */
import { expect, test } from 'bun:test'
import { NextMemo } from '../../src/lib/next-memo.ts'

test('an answer holds from the time that was asked about until what comes next', () => {
  const memo = new NextMemo()
  memo.keep(10, 20)
  expect([9, 10, 19, 20].map((after) => memo.find(after))).toEqual([undefined, 20, 20, undefined])
})

test('that nothing comes next holds for ever', () => {
  const memo = new NextMemo()
  memo.keep(10, null)
  expect([9, 10, 1e15].map((after) => memo.find(after))).toEqual([undefined, null, null])
})

test('two answers are kept, and the same answer again is no new one', () => {
  const memo = new NextMemo()
  memo.keep(10, 20)
  memo.keep(25, 30)
  memo.keep(22, 30)
  memo.keep(27, 30)
  expect([15, 22, 27].map((after) => memo.find(after))).toEqual([20, 30, 30])
  memo.keep(35, 40)
  expect([15, 22, 35].map((after) => memo.find(after))).toEqual([undefined, 30, 40])
})
