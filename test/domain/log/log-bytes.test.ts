import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { bodiesToDrop, isLongBody } from '../../../src/domain/log/log-bytes.ts'

const entries = (...sizes: (number | null)[]) => sizes.map((bytes, index) => ({ n: sizes.length - index, bytes }))
const dropped = (logBytes: number, ...sizes: (number | null)[]) =>
  bodiesToDrop(entries(...sizes), logBytes).map(({ n }) => n)

describe('in a log', () => {
  test('the newest body stays, however long it is', () => {
    expect(dropped(10, 1_000)).toEqual([])
    expect(dropped(0, 1_000, 1)).toEqual([1])
    expect(dropped(10)).toEqual([])
  })

  test('older bodies stay, from the newest back, as long as they fit', () => {
    expect(dropped(10, 99, 5, 5)).toEqual([])
    expect(dropped(10, 99, 5, 5, 1)).toEqual([1])
    expect(dropped(9, 99, 5, 5, 4)).toEqual([2])
  })

  test("a body that does not fit doesn't drop shorter ones", () => {
    expect(dropped(10, 1, 11, 5, 5)).toEqual([3])
  })

  test('nothing is dropped without bodies', () => {
    expect(dropped(0, null, null, null)).toEqual([])
    expect(dropped(0, null, 5, null)).toEqual([2])
  })

  test('the kept bodies fit, and each dropped one would not have fitted with them', () => {
    const sizes = fc.array(fc.option(fc.nat(100)), { maxLength: 30 })
    fc.assert(
      fc.property(sizes, fc.nat(500), (given, logBytes) => {
        const all = entries(...given)
        const gone = new Set(bodiesToDrop(all, logBytes))
        const staying = all.slice(1).filter((entry) => !gone.has(entry))
        const room = logBytes - staying.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)
        expect(room).toBeGreaterThanOrEqual(0)
        for (const { bytes } of gone) expect(bytes ?? 0).toBeGreaterThan(room)
      }),
    )
  })
})

test('a hundred bodies that are not long stay within the limit', () => {
  for (const logBytes of [0, 99, 100, 16_777_216]) {
    const longest = Math.floor(logBytes / 100)
    expect(isLongBody(longest, logBytes)).toBe(false)
    expect(isLongBody(longest + 1, logBytes)).toBe(true)
  }
})
