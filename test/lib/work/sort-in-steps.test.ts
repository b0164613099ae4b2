import { expect, test } from 'bun:test'
import { sortInSteps } from '../../../src/lib/work/sort-in-steps.ts'

test.each([0, 1, 499, 500, 501, 1_501, 5_000])(
  '%p items are sorted as at once, those that are equal in their order',
  async (count) => {
    const items = Array.from({ length: count }, (_, index) => ({ index, key: (index * 7_919) % 101 }))
    const compare = (a: { key: number }, b: { key: number }) => a.key - b.key
    let steps = 0
    const sorted = await sortInSteps(items, compare, async () => void steps++)
    expect(sorted).toEqual(items.toSorted(compare))
    expect(steps).toBeGreaterThanOrEqual(Math.ceil(count / 500))
  },
)
