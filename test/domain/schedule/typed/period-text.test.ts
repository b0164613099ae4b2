/** Periods as people and other programs write them. */
import { expect, test } from 'bun:test'
import { periodInLetters, periodInWords, spanInWords } from '../../../../src/domain/duration.ts'
import { periodSeconds, readSpan } from '../../../../src/domain/schedule/typed/period-text.ts'

test.each([
  ['90s', 90],
  ['2d', 172_800],
  ['5 minutes', 300],
  ['1h 30m', 5_400],
  ['1 h 30 min', 5_400],
  ['1\u00a0h\u00a030\u00a0min', 5_400],
  ['1 hour, 30 minutes', 5_400],
  ['1d 3h 31m', 99_060],
])('%j is a span', (text, seconds) => {
  expect(readSpan(text)).toBe(seconds)
  expect(periodSeconds(text)).toBe(seconds)
})

test.each(['', 'h', '1', '1 h 30', '1 hm', '1.5 h', '0 2 * * *', '1 month', 'hour'])('%j is none', (text) => {
  expect(readSpan(text)).toBeNull()
})

test('a span that pages print is read', () => {
  for (const seconds of [60, 90, 3_600, 5_400, 99_060, 604_800, 691_200]) {
    expect(readSpan(periodInWords(seconds))).toBe(seconds)
    expect(readSpan(periodInLetters(seconds))).toBe(seconds)
  }
  expect(readSpan(spanInWords(5_400))).toBe(5_400)
})

test('a unit alone stands for one, after "every"', () => {
  expect(periodSeconds('every hour')).toBe(3_600)
  expect(periodSeconds('every day')).toBe(86_400)
  expect(periodSeconds('@every soon')).toBeNaN()
  expect(periodSeconds('soon')).toBeNull()
})
