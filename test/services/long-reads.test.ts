/** How many long reads may run at once. */
import { expect, test } from 'bun:test'
import { Refusal } from '../../src/domain/errors.ts'
import { LongReads } from '../../src/services/long-reads.ts'
import { rejection } from '../support/store-builders.ts'

const isBusy = (begin: () => unknown) => {
  try {
    begin()
    return false
  } catch (error) {
    return error instanceof Refusal && error.code === 'busy'
  }
}

test('beyond the limit, long reads are refused until one has ended', () => {
  const reads = new LongReads(2, 2)
  const [end] = [reads.begin('a'), reads.begin('b')]
  expect(isBusy(() => reads.begin('c'))).toBe(true)
  end()
  expect(isBusy(() => reads.begin('c'))).toBe(false)
})

test('one owner cannot use up the limit', () => {
  const reads = new LongReads()
  let taken = 0
  while (!isBusy(() => reads.begin('greedy'))) taken += 1
  expect(taken).toBe(75)
  for (let n = 0; n < 25; n += 1) expect(isBusy(() => reads.begin(`${n}`))).toBe(false)
  expect(isBusy(() => reads.begin('late'))).toBe(true)
})

test('work that fails frees its place', async () => {
  const reads = new LongReads(1)
  const failed = await rejection(reads.during('a', () => Promise.reject(new Error('no'))))
  expect(String(failed)).toBe('Error: no')
  expect(await reads.during('a', async () => 1)).toBe(1)
})
