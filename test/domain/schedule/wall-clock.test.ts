/** Clock changes: the rules of Debian's cron(8) and of systemd, in examples and compared with a model that goes minute by minute. */
import { describe as about, expect, test } from 'bun:test'
import fc from 'fast-check'
import { nextAfter, preview, ScheduleError } from '../../../src/domain/schedule/schedule.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { calendarRuns, cronRuns, modelCalendar, modelCron, type Window, windowAround } from '../support/minute-model.ts'

const runs = (text: string, timeZone: string, from: string, count: number) =>
  preview(text, timeZone, Temporal.Instant.from(from), count).map((moment) => moment.toString())

about('Europe/Riga in spring, 03:00 to 04:00 at 01:00Z', () => {
  const from = '2026-03-28T23:59:00Z'
  test.each([
    ['30 3 * * *', ['29T01:00', '30T00:30']],
    ['0,30 3 * * *', ['29T01:00', '30T00:00']],
    ['30 2-5 * * *', ['29T00:30', '29T01:00', '29T01:30', '29T02:30']],
    ['0 3,4 * * *', ['29T01:00', '30T00:00']],
    ['*/30 3 * * *', ['30T00:00', '30T00:30']],
    ['0 */2 * * *', ['29T00:00', '29T01:00', '29T03:00']],
    ['03:30', ['30T00:30']],
    ['hourly', ['29T00:00', '29T01:00', '29T02:00']],
  ])('%p', (text, expected) => {
    expect(runs(text, 'Europe/Riga', from, expected.length)).toEqual(expected.map((time) => `2026-03-${time}:00Z`))
  })
})

about('Europe/Riga in autumn, 04:00 to 03:00 at 01:00Z', () => {
  const from = '2026-10-24T22:59:00Z'
  test.each([
    ['30 3 * * *', ['25T00:30', '26T01:30']],
    ['30 2-5 * * *', ['24T23:30', '25T00:30', '25T02:30', '25T03:30']],
    ['*/30 3 * * *', ['25T00:00', '25T00:30', '25T01:00', '25T01:30', '26T01:00']],
    ['0 */2 * * *', ['24T23:00', '25T02:00']],
    ['03:30', ['25T00:30', '26T01:30']],
    ['hourly', ['24T23:00', '25T00:00', '25T02:00']],
  ])('%p', (text, expected) => {
    expect(runs(text, 'Europe/Riga', from, expected.length)).toEqual(expected.map((time) => `2026-10-${time}:00Z`))
  })

  test('a search from the second pass never finds a time in the first', () => {
    expect(runs('30 3 * * *', 'Europe/Riga', '2026-10-25T01:05:00Z', 1)).toEqual(['2026-10-26T01:30:00Z'])
    expect(runs('03:30', 'Europe/Riga', '2026-10-25T01:05:00Z', 1)).toEqual(['2026-10-25T01:30:00Z'])
  })

  test('from the second pass a fixed-time job continues right after it', () => {
    expect(runs('0,30 3-4 * * *', 'Europe/Riga', '2026-10-25T01:05:00Z', 1)).toEqual(['2026-10-25T02:00:00Z'])
  })

  test('from the first pass an interval job also runs in the second, whose readings are earlier', () => {
    expect(runs('*/30 3 * * *', 'Europe/Riga', '2026-10-25T00:45:00Z', 1)).toEqual(['2026-10-25T01:00:00Z'])
  })
})

about('changes of other sorts', () => {
  test.each([
    [
      'at midnight: the first moment of the day',
      '0 0 * * *',
      'America/Havana',
      '2024-03-09T12:00:00Z',
      '2024-03-10T05:00',
    ],
    ['by half an hour', '15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T12:00:00Z', '2026-10-03T15:30'],
    ['until midnight', '37 23 * * *', 'Asia/Pyongyang', '2018-05-04T10:00:00Z', '2018-05-04T15:00'],
    ['by a whole day', '0 12 * * *', 'Pacific/Apia', '2011-12-30T00:00:00Z', '2011-12-30T10:00'],
    ['which the start falls on', '30 3 * * *', 'Europe/Riga', '2026-03-29T01:00:00Z', '2026-03-30T00:30'],
  ])('%s', (_, text, timeZone, from, expected) => {
    expect(runs(text, timeZone, from, 1)).toEqual([`${expected}:00Z`])
  })

  test('a skipped day runs once, at the first moment of the next', () => {
    const expected = ['2011-12-29T22:00:00Z', '2011-12-30T10:00:00Z', '2011-12-30T22:00:00Z']
    expect(runs('0 12 * * *', 'Pacific/Apia', '2011-12-29T12:00:00Z', 3)).toEqual(expected)
  })
})

about('every minute around a change', () => {
  // Both changes of a year where there are two; the last four zones changed permanently or by odd amounts.
  const windows = [
    ...bothChanges('Europe/Riga', '2026-01-01T00:00:00Z'),
    ...bothChanges('America/New_York', '2025-01-01T00:00:00Z'),
    ...bothChanges('America/Havana', '2024-01-01T00:00:00Z'),
    ...bothChanges('Australia/Lord_Howe', '2026-01-01T00:00:00Z'),
    ...bothChanges('Pacific/Chatham', '2026-01-01T00:00:00Z'),
    ...bothChanges('Asia/Beirut', '2026-01-01T00:00:00Z'),
    ...bothChanges('Europe/Dublin', '2026-01-01T00:00:00Z'),
    ...bothChanges('Antarctica/Troll', '2026-01-01T00:00:00Z'),
    windowAround('America/Caracas', '2016-01-01T00:00:00Z'),
    windowAround('Asia/Pyongyang', '2018-01-01T00:00:00Z'),
    windowAround('Asia/Almaty', '2024-01-01T00:00:00Z'),
    windowAround('Pacific/Apia', '2011-10-01T00:00:00Z'),
  ]

  // Half of the searches start within two hours of the change, which is in the middle of the window.
  const seconds = fc.oneof(fc.integer({ min: 0, max: 60 * 3600 }), fc.integer({ min: 34 * 3600, max: 38 * 3600 }))
  const start = fc.record({ window: fc.constantFrom(...windows), seconds }).map(({ window, seconds }) => ({
    window,
    after: window.start + seconds * 1000,
  }))

  test('a cron job runs when the model says, and at no moment between', () => {
    fc.assert(
      fc.property(modelCron, start, (cron, { window, after }) => {
        const expected = cronRuns(window, cron).filter((moment) => moment > after)
        expectRuns(cron.text, window, after, expected)
      }),
      { numRuns: 500 },
    )
  })

  test('a calendar event elapses when the model says, and at no moment between', () => {
    fc.assert(
      fc.property(modelCalendar, start, (calendar, { window, after }) => {
        // Each search starts from the previous run: in the first pass, or in the second after a start there.
        const expected = calendarRuns(window, calendar, after)
        expectRuns(calendar.text, window, after, expected)
      }),
      { numRuns: 500 },
    )
  })
})

function bothChanges(timeZone: string, since: string): Window[] {
  const first = windowAround(timeZone, since)
  return [first, windowAround(timeZone, Temporal.Instant.fromEpochMilliseconds(first.end).toString())]
}

/** Compares at most the first 60 occurrences within the window. */
function expectRuns(text: string, window: Window, after: number, expected: readonly number[]): void {
  const found: number[] = []
  let moment: number | null = after
  while (found.length < 60) {
    moment = nextOrNull(text, window.timeZone, moment)
    if (moment === null || moment > window.end) break
    found.push(moment)
  }
  expect({ text, zone: window.timeZone, found }).toEqual({
    text,
    zone: window.timeZone,
    found: expected.slice(0, 60),
  })
}

/** Returns the next run; null for an expression whose days never occur, as in the model. */
function nextOrNull(text: string, timeZone: string, after: number): number | null {
  try {
    return nextAfter(text, timeZone, Temporal.Instant.fromEpochMilliseconds(after))?.epochMilliseconds ?? null
  } catch (error) {
    if (error instanceof ScheduleError && /no occurrence|No chosen month/.test(error.message)) return null
    throw error
  }
}
