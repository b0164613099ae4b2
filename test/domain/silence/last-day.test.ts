/** The last day of a window: which end a day gives, and which day an end gives. */
import { describe, expect, test } from 'bun:test'
import { endOfLastDay, lastDayOf } from '../../../src/domain/silence/last-day.ts'
import { Temporal } from '../../../src/lib/time.ts'

const HOUR = 3_600
const window = (schedule: string, hours: number) => ({ schedule, tz: 'Europe/Riga', seconds: hours * HOUR })
const end = (schedule: string, hours: number, day: string) =>
  endOfLastDay(window(schedule, hours), Temporal.PlainDate.from(day)).toString()

describe('the last day', () => {
  test('ends at its midnight, in the zone of the window', () => {
    expect(end('0 22 * * 6', 2, '2026-11-28')).toBe('2026-11-28T22:00:00Z')
    expect(end('0 22 * * 6', 2, '2026-12-01')).toBe('2026-12-01T22:00:00Z')
  })

  test('is not over before what begins on it', () => {
    expect(end('0 22 * * 6', 9, '2026-11-28')).toBe('2026-11-29T05:00:00Z')
    expect(end('0 22 * * 6', 72, '2026-11-28')).toBe('2026-12-01T20:00:00Z')
  })

  test.each([
    ['0 22 * * *', 2, '2026-11-28'],
    ['0 22 * * *', 9, '2026-11-28'],
    ['0 22 * * 6', 72, '2026-11-28'],
    ['0 22 * * *', 9, '2026-10-24'],
  ])('of "%s" for %d h is the same when it is read again: %s', (schedule, hours, day) => {
    const endsAt = endOfLastDay(window(schedule, hours), Temporal.PlainDate.from(day))
    expect(lastDayOf(window(schedule, hours), endsAt).toString()).toBe(day)
  })

  test('of an end within a day is that day', () => {
    const endsAt = Temporal.Instant.from('2026-11-28T12:00:00Z')
    expect(lastDayOf(window('0 22 * * *', 9), endsAt).toString()).toBe('2026-11-28')
  })
})
