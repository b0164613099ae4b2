/** Work in progress, counted by key. */
import { expect, test } from 'bun:test'
import { Counts } from '../../../src/lib/work/counts.ts'

test('each key is counted by itself, and all together', () => {
  const counts = new Counts()
  counts.begin('a')
  counts.begin('a')
  counts.begin('b')
  expect([counts.of('a'), counts.of('b'), counts.of('c'), counts.total]).toEqual([2, 1, 0, 3])
})

test('what has ended counts no longer', () => {
  const counts = new Counts()
  const ends = [counts.begin('a'), counts.begin('a')]
  ends[0]?.()
  expect([counts.of('a'), counts.total]).toEqual([1, 1])
  ends[1]?.()
  expect([counts.of('a'), counts.total]).toEqual([0, 0])
})
