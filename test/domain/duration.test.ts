/** Durations in words: at the boundaries of units. */
import { describe, expect, test } from 'bun:test'
import { agoInWords, periodInLetters, periodInWords, relativeInWords, spanInWords } from '../../src/domain/duration.ts'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400
const WEEK = 604_800

describe('a period', () => {
  test.each([
    [1, '1 second'],
    [59, '59 seconds'],
    [MINUTE, '1 minute'],
    [90, '1 minute 30 seconds'],
    [59 * MINUTE, '59 minutes'],
    [HOUR, '1 hour'],
    [90 * MINUTE, '1 hour 30 minutes'],
    [2 * HOUR, '2 hours'],
    [DAY, '1 day'],
    [DAY + MINUTE, '1 day 1 minute'],
    [DAY + HOUR + MINUTE + 1, '1 day 1 hour 1 minute 1 second'],
    [6 * DAY, '6 days'],
    [365 * DAY, '365 days'],
  ])('of %d seconds has all its units, without zeros: %s', (seconds, words) => {
    expect(periodInWords(seconds)).toBe(words)
  })

  test.each([
    [WEEK, '1 week'],
    [2 * WEEK, '2 weeks'],
    [52 * WEEK, '52 weeks'],
    [WEEK - MINUTE, '6 days 23 hours 59 minutes'],
    [WEEK + MINUTE, '7 days 1 minute'],
    [8 * DAY, '8 days'],
    [2 * WEEK + HOUR, '14 days 1 hour'],
  ])('of %d seconds is in weeks only for whole weeks: %s', (seconds, words) => {
    expect(periodInWords(seconds)).toBe(words)
  })

  test.each([
    [300, '5m'],
    [99_060, '1d 3h 31m'],
    [8 * DAY, '8d'],
    [2 * WEEK, '2w'],
  ])('of %d seconds is %s in letters', (seconds, letters) => {
    expect(periodInLetters(seconds)).toBe(letters)
  })

  test('of 0 is zero seconds', () => {
    expect(periodInWords(0)).toBe('0 seconds')
  })
})

describe('a span', () => {
  test.each([
    [0, '0 seconds'],
    [1, '1 second'],
    [59, '59 seconds'],
  ])('of %d seconds, under a minute, is only in seconds: %s', (seconds, words) => {
    expect(spanInWords(seconds)).toBe(words)
  })

  test.each([
    [MINUTE, '1 minute'],
    [61, '1 minute, 1 second'],
    [12 * MINUTE, '12 minutes'],
    [HOUR - 1, '59 minutes, 59 seconds'],
    [HOUR, '1 hour'],
    [HOUR + 59, '1 hour'],
    [90 * MINUTE, '1 hour, 30 minutes'],
    [DAY - 1, '23 hours, 59 minutes'],
    [DAY, '1 day'],
    [DAY + 59 * MINUTE, '1 day'],
    [DAY + HOUR, '1 day, 1 hour'],
    [30 * DAY + 5 * HOUR, '30 days, 5 hours'],
  ])(
    'of %d seconds is told in its largest unit and the next one, which is left out when there is none of it: %s',
    (seconds, words) => {
      expect(spanInWords(seconds)).toBe(words)
    },
  )

  test.each([-1, -DAY])('of %d seconds, from clocks that disagree, is zero', (seconds) => {
    expect(spanInWords(seconds)).toBe('0 seconds')
  })
})

describe('how long ago', () => {
  test.each([
    [-5, 'now'],
    [0, 'now'],
    [0.9, 'now'],
    [1, '1 second ago'],
    [59, '59 seconds ago'],
    [MINUTE, '1 minute ago'],
    [2 * MINUTE - 1, '1 minute ago'],
    [5 * MINUTE, '5 minutes ago'],
    [HOUR - 1, '59 minutes ago'],
    [HOUR, '1 hour ago'],
    [DAY - 1, '23 hours ago'],
    [DAY, '1 day ago'],
    [WEEK - 1, '6 days ago'],
    [WEEK, '1 week ago'],
    [2 * WEEK - 1, '1 week ago'],
    [3 * WEEK, '3 weeks ago'],
    [520 * WEEK, '520 weeks ago'],
  ])('%d seconds are only the largest unit: %s', (seconds, words) => {
    expect(agoInWords(seconds)).toBe(words)
  })
})

test.each([
  [-604_800, 'in 1 week'],
  [-7_199, 'in 1 hour'],
  [-1, 'in 1 second'],
  [-0.9, 'now'],
  [0.9, 'now'],
  [60, '1 minute ago'],
])('%d seconds ago is "%s"', (seconds, words) => {
  expect(relativeInWords(seconds)).toBe(words)
})
