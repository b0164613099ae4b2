import { expect, test } from 'bun:test'
import { lastSlots } from '../../../src/domain/run/last-slots.ts'
import { Temporal } from '../../../src/lib/time.ts'

const instant = (text: string) => Temporal.Instant.from(text)
const simple = (timeoutSeconds: number) =>
  ({ kind: 'simple', timeoutSeconds, schedule: '* * * * *', tz: 'UTC' }) as const
const cron = (schedule: string, tz = 'UTC') => ({ kind: 'cron', timeoutSeconds: 60, schedule, tz }) as const
const slots = (timing: Parameters<typeof lastSlots>[0], after: string, until: string, count: number) =>
  lastSlots(timing, instant(after), instant(until), count).map(String)

test('of a period are counted from the last ping', () => {
  expect(slots(simple(3_600), '2026-03-04T00:10:00Z', '2026-03-04T03:10:00Z', 2)).toEqual([
    '2026-03-04T02:10:00Z',
    '2026-03-04T03:10:00Z',
  ])
  expect(slots(simple(3_600), '2026-03-04T00:10:00Z', '2026-03-04T03:09:59Z', 9)).toEqual([
    '2026-03-04T01:10:00Z',
    '2026-03-04T02:10:00Z',
  ])
})

test('of a schedule include its end, and not its beginning', () => {
  expect(slots(cron('30 3 * * *', 'Europe/Riga'), '2026-03-02T01:30:00Z', '2026-03-04T01:30:00Z', 9)).toEqual([
    '2026-03-03T01:30:00Z',
    '2026-03-04T01:30:00Z',
  ])
})

test('are the newest of many', () => {
  const expected = ['2026-03-04T11:58:00Z', '2026-03-04T11:59:00Z', '2026-03-04T12:00:00Z']
  expect(slots(cron('* * * * *'), '2020-03-04T12:00:00Z', '2026-03-04T12:00:00Z', 3)).toEqual(expected)
  expect(slots(simple(60), '2020-03-04T12:00:00Z', '2026-03-04T12:00:00Z', 3)).toEqual(expected)
})

test('are found where runs are unevenly spread', () => {
  // The search begins in a night without runs, but by day they are a minute apart.
  expect(slots(cron('* 9-17 * * *'), '2026-02-02T17:58:00Z', '2026-03-04T17:59:00Z', 2)).toEqual([
    '2026-03-04T17:58:00Z',
    '2026-03-04T17:59:00Z',
  ])
  // The search begins where runs are a minute apart, but its end is months after the last run.
  expect(slots(cron('* 0 1 1 *'), '2026-01-01T00:30:00Z', '2026-03-04T12:00:00Z', 2)).toEqual([
    '2026-01-01T00:58:00Z',
    '2026-01-01T00:59:00Z',
  ])
})

test('are none for a schedule that has ended or cannot be read, and before the beginning', () => {
  const ended = { ...cron('2010-01-01'), kind: 'oncalendar' } as const
  expect(slots(ended, '2026-03-01T00:00:00Z', '2026-03-04T00:00:00Z', 3)).toEqual([])
  expect(slots(cron('nonsense'), '2026-03-01T00:00:00Z', '2026-03-04T00:00:00Z', 3)).toEqual([])
  expect(slots(cron('* * * * *'), '2026-03-04T00:00:00Z', '2026-03-01T00:00:00Z', 3)).toEqual([])
})
