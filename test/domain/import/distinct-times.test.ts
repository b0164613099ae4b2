import { expect, test } from 'bun:test'
import { distinctTimes } from '../../../src/domain/import/distinct-times.ts'
import { Temporal } from '../../../src/lib/time.ts'

test('times that come again are a microsecond later each time, also where that one is taken', () => {
  const at = (microseconds: number) => Temporal.Instant.from(`2026-05-04T10:00:00.00000${microseconds}Z`)
  const times = distinctTimes([at(1), at(2), at(1), at(1), at(0)])
  expect(times.map(String)).toEqual([at(1), at(2), at(3), at(4), at(0)].map(String))
})

test('a hundred thousand equal times are told apart one step at a time', () => {
  const at = Temporal.Instant.from('2026-05-04T10:00:00Z')
  const times = distinctTimes(Array.from({ length: 100_000 }, () => at))
  expect(new Set(times.map(({ epochNanoseconds }) => epochNanoseconds)).size).toBe(100_000)
  expect(String(times.at(-1))).toBe('2026-05-04T10:00:00.099999Z')
})
