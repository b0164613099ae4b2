import { describe, expect, test } from 'bun:test'
import { quietHoursWords, storedQuietHours } from '../../../src/domain/channel/quiet-words.ts'

const HOUR = 3_600

function words(schedule: string, hours: number): string {
  return quietHoursWords({ schedule, tz: 'Europe/Riga', seconds: hours * HOUR, upTo: 'down' })
}

describe('quiet hours in words', () => {
  test.each([
    ['22:00', 9, '22:00–07:00 (Europe/Riga)'],
    ['0 22 * * *', 2, '22:00–00:00 (Europe/Riga)'],
    ['Mon..Fri 18:30', 13.5, '18:30–08:00 on Monday to Friday (Europe/Riga)'],
    ['0 0 * * 0,6', 24, 'at 00:00 on Saturday and Sunday (Europe/Riga), for 1 day'],
    ['Fri 18:00', 62, 'at 18:00 on Friday (Europe/Riga), for 2 days 14 hours'],
    ['0 12,22 * * *', 2, 'at 12:00 and 22:00 every day (Europe/Riga), for 2 hours'],
    ['Mon 22:00\nSat 22:00 UTC', 9, 'at 22:00 on Monday (Europe/Riga); at 22:00 on Saturday (UTC), for 9 hours'],
    ['at dusk', 9, 'at dusk (Europe/Riga), for 9 hours'],
  ])('%j for %d hours are %j', (schedule, hours, expected) => {
    expect(words(schedule, hours)).toBe(expected)
  })

  test('name the severity if worse alerts are sent at once', () => {
    const quiet = { schedule: '22:00', tz: 'UTC', seconds: 9 * HOUR, upTo: 'warning' } as const
    expect(quietHoursWords(quiet)).toBe('22:00–07:00 (UTC), for warnings')
    expect(storedQuietHours(quiet)).toBe('22:00 (UTC), for 9 hours, for warnings')
  })

  test('are told as they are stored', () => {
    expect(storedQuietHours({ schedule: '0 22 * * *', tz: 'UTC', seconds: 5_400, upTo: 'down' })).toBe(
      '0 22 * * * (UTC), for 1 hour 30 minutes',
    )
  })
})
