import { expect, test } from 'bun:test'
import { inBatches } from '../../../src/lib/work/batches.ts'

test('batches hold every item once, in order, and only the last is shorter', () => {
  expect([...inBatches([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]])
  expect([...inBatches([1, 2], 2)]).toEqual([[1, 2]])
  expect([...inBatches([], 2)]).toEqual([])
})
