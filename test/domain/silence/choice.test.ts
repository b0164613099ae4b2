import { expect, test } from 'bun:test'
import { endOf, timesOfChoice } from '../../../src/domain/silence/choice.ts'
import { Temporal } from '../../../src/lib/time.ts'

const NOW = Temporal.Instant.from('2026-11-17T07:42:00Z')
const timesAt = (day: string, time: string) => timesOfChoice({ choice: 'at', day, time }, NOW, 'Europe/Riga')

test('an hour, the next morning in the zone of the reader, and seven days at most until healthy', () => {
  expect(endOf('1h', NOW, 'Europe/Riga')).toEqual(Temporal.Instant.from('2026-11-17T08:42:00Z'))
  expect(endOf('morning', NOW, 'Europe/Riga')).toEqual(Temporal.Instant.from('2026-11-18T06:00:00Z'))
  expect(endOf('healthy', NOW, 'Europe/Riga')).toEqual(Temporal.Instant.from('2026-11-24T07:42:00Z'))
})

test('tomorrow begins at midnight of the reader', () => {
  expect(endOf('morning', Temporal.Instant.from('2026-11-17T22:30:00Z'), 'Europe/Riga')).toEqual(
    Temporal.Instant.from('2026-11-19T06:00:00Z'),
  )
})

test('only until healthy ends with a success', () => {
  const wanted = { day: '', time: '' }
  expect(timesOfChoice({ choice: 'healthy', ...wanted }, NOW, 'UTC')).toMatchObject({
    untilHealthy: true,
    startsAt: NOW,
  })
  expect(timesOfChoice({ choice: '1h', ...wanted }, NOW, 'UTC')).toMatchObject({ untilHealthy: false })
})

test('a day and a time are in the future, and within 30 days', () => {
  expect(timesAt('2026-11-20', '08:00')).toEqual({
    startsAt: NOW,
    endsAt: Temporal.Instant.from('2026-11-20T06:00:00Z'),
    untilHealthy: false,
    window: null,
  })
  expect(timesAt('2026-11-20', '8 o’clock')).toBe('no-time')
  expect(timesAt('2026-11-17', '09:42')).toBe('past')
  expect(timesAt('2026-12-18', '08:00')).toBe('too-long')
})
