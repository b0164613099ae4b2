import { expect, test } from 'bun:test'
import { barScale } from '../../../src/domain/run-list/bar-scale.ts'

const HOUR = 3_600_000
const run = (began: number, ended: number | null, due: number | null = 0) => ({
  kind: 'ran' as const,
  began,
  ended,
  due,
  isTimed: true,
  delay: null,
  n: 1,
  exitStatus: null,
  arrivedAt: null,
})

test('the scale begins with the earliest run, and holds the grace time and nearly all ends', () => {
  expect(barScale([run(-60_000, 0), run(0, 120_000)], HOUR, 0)).toEqual({ from: -60_000, until: HOUR })
  expect(barScale([run(0, 2 * HOUR), run(0, HOUR)], HOUR, 0)).toEqual({ from: 0, until: 2 * HOUR })
})

test('one run of twenty that came very late does not stretch it', () => {
  const runs = [...Array.from({ length: 19 }, () => run(0, HOUR)), run(90 * HOUR, 91 * HOUR)]
  expect(barScale(runs, HOUR, 0)).toEqual({ from: 0, until: HOUR })
})

test('a run that goes on ends now, and without a due time there is no scale', () => {
  expect(barScale([run(0, null)], HOUR, 3 * HOUR)).toEqual({ from: 0, until: 3 * HOUR })
  expect(barScale([run(0, HOUR, null)], HOUR, 0)).toBeNull()
})
