import { describe, expect, test } from 'bun:test'
import { axisKind, type DaySpan, dayAxis, hourAxis, medianGap } from '../../../src/domain/rhythm-plot/axis.ts'

const at = (hours: number, minutes = 0, length = 0): DaySpan => ({ from: hours * 60 + minutes, length })
const often = (span: DaySpan, count = 30): readonly DaySpan[] => Array.from({ length: count }, () => span)
const windowOf = (expected: readonly DaySpan[], runs: readonly DaySpan[]) => {
  const { from, length } = dayAxis(expected, runs)
  return { from: from / 60, hours: length / 60 }
}

describe('the axis follows the distance of the runs:', () => {
  test.each([
    [4, 'hour'],
    [59, 'hour'],
    [60, 'day'],
    [1_440, 'day'],
    [6 * 1_440, 'week'],
    [30 * 1_440, 'week'],
  ] as const)('%p minutes make a %s', (gap, kind) => {
    expect(axisKind(gap)).toBe(kind)
  })

  test('a row is a minute for what comes more often than each five minutes', () => {
    expect(hourAxis(1).rows).toBe(60)
    expect(hourAxis(5).rows).toBe(12)
  })

  test('the distance is the median from one run to the next', () => {
    expect(medianGap([0, 2, 4, 30].map((hour) => hour * 3_600_000))).toBe(120)
  })
})

describe('the window', () => {
  test('holds what is expected and the runs, with half an hour of air above', () => {
    expect(windowOf([at(2, 0, 45)], often(at(2, 0, 31)))).toEqual({ from: 1.5, hours: 1.5 })
    expect(windowOf([at(3, 0, 30)], [...often(at(4, 0, 10), 23), ...often(at(5, 0, 10), 6)])).toEqual({
      from: 2.5,
      hours: 3,
    })
  })

  test('begins on the day before for what is expected at midnight', () => {
    expect(windowOf([at(0, 0, 60)], often(at(0, 0, 20)))).toEqual({ from: -0.5, hours: 1.5 })
  })

  test('reaches over midnight', () => {
    expect(windowOf([at(23, 45, 60)], often(at(23, 45, 40)))).toEqual({ from: 23, hours: 2 })
  })

  test('leaves out the twentieth part of the runs', () => {
    expect(windowOf([at(2, 0, 30)], [...often(at(2, 0, 5), 29), at(14)])).toEqual({ from: 1.5, hours: 1.5 })
  })

  test('does not grow for runs that come some seconds early', () => {
    expect(windowOf([at(2, 0, 30)], often(at(1, 59.9, 5)))).toEqual({ from: 1.5, hours: 1.5 })
  })

  test('is the whole day for what comes all day, and for what nobody knows', () => {
    const day = { from: 0, hours: 24 }
    expect(
      windowOf(
        [0, 4, 8, 12, 16, 20].map((hour) => at(hour, 0, 60)),
        often(at(4)),
      ),
    ).toEqual(day)
    expect(windowOf([], [])).toEqual(day)
    expect(windowOf([at(3, 0, 1_500)], [])).toEqual(day)
  })

  test('holds a run of many hours from its beginning to its end', () => {
    expect(windowOf([at(1, 0, 30)], often(at(1, 0, 300)))).toEqual({ from: 0.5, hours: 6 })
  })
})
