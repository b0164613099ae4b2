/** Due time of a morning mail. */
import { describe, expect, test } from 'bun:test'
import {
  eveningBefore,
  isTooLate,
  morningSlot,
  nextMorning,
  plannedMorning,
  retryMorningAt,
} from '../../../src/domain/morning/morning-mail.ts'
import { Temporal } from '../../../src/lib/time.ts'

const instant = Temporal.Instant.from
const RIGA = 'Europe/Riga'
const next = (hour: number, tz: string, after: string) => String(nextMorning(hour, tz, instant(after)))
const slot = (dueAt: string, now: string, tz = RIGA) => String(morningSlot(instant(dueAt), 8, tz, instant(now)))

describe('the next morning', () => {
  test('is the hour of the clock, today or tomorrow', () => {
    expect(next(8, RIGA, '2026-11-17T05:59:59Z')).toBe('2026-11-17T06:00:00Z')
    expect(next(8, RIGA, '2026-11-17T06:00:00Z')).toBe('2026-11-18T06:00:00Z')
    expect(next(5, 'UTC', '2026-11-17T23:00:00Z')).toBe('2026-11-18T05:00:00Z')
  })

  test.each([
    [RIGA, '2026-03-28T06:00:00Z', '2026-03-29T05:00:00Z', '2026-10-24T05:00:00Z', '2026-10-25T06:00:00Z'],
    [
      'America/New_York',
      '2026-03-07T13:00:00Z',
      '2026-03-08T12:00:00Z',
      '2026-10-31T12:00:00Z',
      '2026-11-01T13:00:00Z',
    ],
    // Clocks change by half an hour.
    [
      'Australia/Lord_Howe',
      '2026-10-02T21:30:00Z',
      '2026-10-03T21:00:00Z',
      '2026-04-03T21:00:00Z',
      '2026-04-04T21:30:00Z',
    ],
  ])('is at the same hour after the clocks of %s changed, forward and back', (tz, before, forward, summer, back) => {
    expect(next(8, tz, before)).toBe(forward)
    expect(next(8, tz, summer)).toBe(back)
  })

  test('is found in a zone that left out a day', () => {
    expect(next(8, 'Pacific/Apia', '2011-12-29T18:00:00Z')).toBe('2011-12-30T18:00:00Z')
  })
})

describe('after a change', () => {
  const at = (hour: number | null, tz: string = RIGA) => ({
    tz,
    morningMail: hour === null ? null : ({ wish: 'always', hour } as const),
  })
  const NOW = instant('2026-11-17T10:00:00Z')
  const DUE = instant('2026-11-18T06:00:00Z')
  const planned = (before: ReturnType<typeof at>, after: ReturnType<typeof at>, dueAt: typeof DUE | null = DUE) => {
    const date = plannedMorning(before, after, dueAt, NOW)
    return date && String(date)
  }

  test('it is the next morning for who wanted none, and none for who wants none', () => {
    expect(planned(at(null), at(8), null)).toBe(String(DUE))
    expect(planned(at(8), at(null))).toBeNull()
  })

  test('it stays on its day, at the new hour or in the new zone', () => {
    expect(planned(at(8), at(11))).toBe('2026-11-18T09:00:00Z')
    expect(planned(at(8), at(8, 'America/New_York'))).toBe('2026-11-18T13:00:00Z')
    expect(planned(at(8), at(8, 'Asia/Tokyo'))).toBe('2026-11-17T23:00:00Z')
    expect(planned(at(8), at(8))).toBe(String(DUE))
  })
})

describe('after an outage', () => {
  test('the mail is for the latest morning, once', () => {
    expect(slot('2026-11-14T06:00:00Z', '2026-11-17T07:30:00Z')).toBe('2026-11-17T06:00:00Z')
    expect(slot('2026-11-17T06:00:00Z', '2026-11-17T06:00:01Z')).toBe('2026-11-17T06:00:00Z')
    expect(slot('2026-11-17T06:00:00Z', '2026-11-18T05:59:00Z')).toBe('2026-11-17T06:00:00Z')
  })

  test('it is sent up to six hours late', () => {
    const morning = instant('2026-11-17T06:00:00Z')
    expect(isTooLate(morning, instant('2026-11-17T12:00:00Z'))).toBe(false)
    expect(isTooLate(morning, instant('2026-11-17T12:00:01Z'))).toBe(true)
  })

  test('no attempt comes later than that', () => {
    const morning = instant('2026-11-17T06:00:00Z')
    const retry = (now: string, retryAfterSeconds: number | null = null) => {
      const at = retryMorningAt({ attempts: 1, retryAfterSeconds }, morning, instant(now), 0.5)
      return at && String(at)
    }
    expect(retry('2026-11-17T06:00:00Z')).toBe('2026-11-17T06:00:05Z')
    expect(retry('2026-11-17T06:00:00Z', 3_600)).toBe('2026-11-17T07:00:00Z')
    expect(retry('2026-11-17T11:59:58Z')).toBeNull()
  })
})

test('the night of a morning began on the evening before, in the zone of the account', () => {
  expect(String(eveningBefore(instant('2026-11-17T06:00:00Z'), RIGA))).toBe('2026-11-16')
  expect(String(eveningBefore(instant('2026-11-16T19:00:00Z'), 'Pacific/Auckland'))).toBe('2026-11-16')
})
