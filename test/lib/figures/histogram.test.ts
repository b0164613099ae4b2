import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { bucketOf, Histogram } from '../../../src/lib/figures/histogram.ts'

test('a value belongs to the first bound that it does not exceed', () => {
  const places = [-1, 0, 1, 1.5, 2, 2.001, 5, 6].map((value) => bucketOf([1, 2, 5], value))
  expect(places).toEqual([0, 0, 0, 1, 1, 2, 2, 3])
})

test('without bounds there is one bucket', () => {
  const histogram = new Histogram([])
  histogram.observe(3)
  expect([histogram.counts, histogram.sum]).toEqual([[1], 3])
})

test('each value is counted once, and all are summed up', () => {
  const bounds = [0.5, 1, 10]
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 30 })), (values) => {
      const histogram = new Histogram(bounds)
      for (const value of values) histogram.observe(value)
      const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
      expect(sum(histogram.counts)).toBe(values.length)
      expect(histogram.sum).toBe(sum(values))
      expect(histogram.counts[3]).toBe(values.filter((value) => value > 10).length)
    }),
  )
})
