import { describe, expect, test } from 'bun:test'
import { denseArc, modulo } from '../../../src/domain/preview/dense-arc.ts'

describe('the dense arc of a circle', () => {
  test('holds most values, and leaves out those that are far away', () => {
    expect(denseArc([300, 310, 305, 320, 315, 312, 308, 302, 317, 900], 1_440, 0.9)).toEqual({
      start: 300,
      width: 20,
      count: 9,
    })
  })

  test('may lie across the beginning of the circle', () => {
    expect(denseArc([5, 1_435, 1_439, 0, 1_445], 1_440, 1)).toEqual({ start: 1_435, width: 10, count: 5 })
  })

  test('takes in values close to its ends, beyond the share', () => {
    expect(denseArc([100, 101, 102, 103, 700, 104], 1_000, 0.5)).toEqual({ start: 100, width: 4, count: 5 })
  })

  test('is as wide as the values are spread', () => {
    expect(denseArc([0, 250, 500, 750], 1_000, 1).width).toBe(750)
    expect(denseArc([7], 1_000, 0.9)).toEqual({ start: 7, width: 0, count: 1 })
  })
})

test('the rest of a negative number is not negative', () => {
  expect([modulo(-1, 24), modulo(25, 24), modulo(-48, 24) + 0]).toEqual([23, 1, 0])
})
