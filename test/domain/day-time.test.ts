import { describe, expect, test } from 'bun:test'
import { daysFrom, readDay, readDayTime } from '../../src/domain/day-time.ts'
import { Temporal } from '../../src/lib/time.ts'

test.each(['+275760-09-13', '-271821-04-19', '20261205', '2026-12-05T10:00', '2026-12-05[u-ca=hebrew]'])(
  '%s is not a day',
  (text) => {
    expect(readDay(text)).toBeNull()
  },
)

describe('a day and a time', () => {
  test('are read in the zone of the reader', () => {
    expect(readDayTime('2026-11-20', '08:00', 'Europe/Riga')?.toString()).toBe('2026-11-20T06:00:00Z')
    expect(readDayTime('2026-11-20', ' 8.05 ', 'UTC')?.toString()).toBe('2026-11-20T08:05:00Z')
  })

  test('of 24:00 are the end of the day', () => {
    expect(readDayTime('2026-11-28', '24:00', 'Europe/Riga')?.toString()).toBe('2026-11-28T22:00:00Z')
  })

  test('that the clocks skip are as much later', () => {
    expect(readDayTime('2026-03-29', '03:30', 'Europe/Riga')?.toString()).toBe('2026-03-29T01:30:00Z')
  })

  test.each([
    ['2026-02-30', '08:00'],
    ['2026-11-20', '24:01'],
    ['2026-11-20', '8'],
    ['2026-11-20', ''],
    ['', '08:00'],
    ['tomorrow', '08:00'],
  ])('%s %s are none', (day, time) => {
    expect(readDayTime(day, time, 'UTC')).toBeNull()
  })

  test('begin with the reader’s today', () => {
    const days = daysFrom(Temporal.Instant.from('2026-11-17T23:30:00Z'), 3, 'Europe/Riga').map(String)
    expect(days).toEqual(['2026-11-18', '2026-11-19', '2026-11-20'])
  })
})
