import { describe, expect, test } from 'bun:test'
import {
  readTypedWindow,
  type TypedWindow,
  typedWindow,
  type WindowMistakes,
} from '../../../src/domain/silence/typed-window.ts'
import { Temporal } from '../../../src/lib/time.ts'

const NOW = Temporal.Instant.from('2026-11-28T12:00Z')
const HOUR = 3_600

function read(from: string, until: string, tz = 'Europe/Riga') {
  return readTypedWindow({ from, until, tz }, NOW)
}

function mistakes(typed: Partial<TypedWindow>): WindowMistakes {
  return readTypedWindow({ from: '22:00', until: '7:00', tz: 'UTC', ...typed }, NOW).mistakes
}

describe('the typed window', () => {
  test.each([
    ['22:00', '7:00', '22:00', 9 * HOUR],
    ['22:00', '24:00', '22:00', 2 * HOUR],
    ['Mon..Fri 18:30', '8.00', 'Mon..Fri 18:30', 13.5 * HOUR],
    ['0 22 * * 1-5', '07:00', '0 22 * * 1-5', 9 * HOUR],
    ['@daily', '6:00', '0 0 * * *', 6 * HOUR],
    ['Sat 9:00', '9:00', 'Sat 9:00', 24 * HOUR],
    ['Fri 18:00', '2 days 14 h', 'Fri 18:00', 62 * HOUR],
    ['0 12,22 * * *', '90 min', '0 12,22 * * *', 1.5 * HOUR],
    [' 22:00 ', ' 9h ', '22:00', 9 * HOUR],
  ])('from %j until %j is the schedule %j and so many seconds', (from, until, schedule, seconds) => {
    expect(read(from, until)).toEqual({ window: { schedule, tz: 'Europe/Riga', seconds }, mistakes: {} })
  })

  test('the end is a time of the days of the schedule, also where a line names a zone of its own', () => {
    expect(read('22:00 Europe/Riga', '7:00', 'UTC').window?.seconds).toBe(9 * HOUR)
  })

  test.each<[Partial<TypedWindow>, WindowMistakes]>([
    [{ from: '' }, { from: 'Type when it begins, such as 22:00.' }],
    [{ until: '' }, { until: 'Type when it ends, such as 7:00, or how long it lasts, such as 9 h.' }],
    [{ until: 'morning' }, { until: 'Type when it ends, such as 7:00, or how long it lasts, such as 9 h.' }],
    [{ until: '10 s' }, { until: 'That is too short: at least 1 minute.' }],
    [{ until: '40 days' }, { until: 'This is too long: at most 30 days.' }],
    [
      { from: '0 12,22 * * *' },
      { until: 'It begins at more than one time of day, so type how long it lasts, such as 9 h.' },
    ],
    [{ until: '22:00' }, { until: 'It would begin again before it ends. Type an earlier end.' }],
    [{ from: '2020-01-01 22:00' }, { from: 'All its dates are in the past. Type a later date.' }],
    [{ from: `22:00${' '.repeat(200)}x` }, { from: 'This is too long: at most 100 characters.' }],
    [{ tz: 'Riga' }, { tz: 'Type the name of a time zone, such as Europe/Riga.' }],
  ])('%j is refused', (typed, expected) => {
    expect(mistakes(typed)).toEqual(expected)
  })

  test('all mistakes are told at once', () => {
    expect(Object.keys(mistakes({ from: '25:00', until: 'x', tz: '' }))).toEqual(['from', 'until', 'tz'])
  })
})

describe('a stored window in the form', () => {
  test.each([
    ['22:00', 9 * HOUR, '07:00'],
    ['0 22 * * 1-5', 2 * HOUR, '00:00'],
    ['Fri 18:00', 62 * HOUR, '2 days 14 hours'],
    ['0 12,22 * * *', 1.5 * HOUR, '1 hour 30 minutes'],
  ])('%j for %d seconds ends %j, and reads back as it was', (schedule, seconds, until) => {
    const window = { schedule, tz: 'Europe/Riga', seconds }
    expect(typedWindow(window)).toEqual({ from: schedule, until, tz: 'Europe/Riga' })
    expect(readTypedWindow(typedWindow(window), NOW).window).toEqual(window)
  })

  test('shows a schedule of a newer version as it is', () => {
    expect(typedWindow({ schedule: 'at dusk', tz: 'UTC', seconds: HOUR }).until).toBe('1 hour')
  })
})
