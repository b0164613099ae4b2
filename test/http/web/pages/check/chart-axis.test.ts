import { expect, test } from 'bun:test'
import { durationAxis } from '../../../../../src/http/web/pages/check/chart-axis.ts'

const SECOND = 1_000_000
const texts = (seconds: number) => durationAxis(seconds * SECOND).marks.map(({ text }) => text)

test.each([
  [0.042, ['0', '20', '40', '60 ms']],
  [0.9, ['0', '500', '1000 ms']],
  [3, ['0', '1', '2', '3 s']],
  [100, ['0', '40', '80', '120 s']],
  [56 * 60, ['0', '20', '40', '60 min']],
  [3 * 3_600, ['0', '1', '2', '3 h']],
  [25 * 3_600, ['0', '12', '24', '36 h']],
  [40 * 86_400, ['0', '20', '40 d']],
  [9_000 * 86_400, ['0', '3000', '6000', '9000 d']],
])('%d seconds fit below few round marks', (seconds, expected) => {
  expect(texts(seconds)).toEqual(expected)
})

test('the top is the highest mark, and never lower than what must fit', () => {
  for (const seconds of [0.0004, 0.5, 1, 59, 61, 119, 3_599, 7_201, 86_399, 5_000_000]) {
    const { marks, top } = durationAxis(seconds * SECOND)
    expect(marks.at(-1)?.duration).toBe(top)
    expect(top).toBeGreaterThanOrEqual(seconds * SECOND)
    expect(marks.length).toBeLessThanOrEqual(4)
  }
})
