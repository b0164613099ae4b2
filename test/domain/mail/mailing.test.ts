import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { MailChannel, ReminderPeriod } from '../../../src/domain/mail/mail-channel.ts'
import {
  mailChannelOf,
  mailingId,
  nextReportAt,
  reminderSchedule,
  reportSchedule,
  retryMailingAt,
  wantedMailings,
} from '../../../src/domain/mail/mailing.ts'
import type { ReportPeriod } from '../../../src/domain/mail/report-period.ts'
import { isUuid } from '../../../src/lib/secrets/uuid.ts'
import { type Instant, isAtOrAfter, isBefore, Temporal } from '../../../src/lib/time.ts'
import { aChannel } from '../../support/builders.ts'

const instant = (text: string): Instant => Temporal.Instant.from(text)
const LAST = 1 - Number.EPSILON

describe('the next report', () => {
  test.each<[ReportPeriod, string, string]>([
    ['daily', '2026-03-04T12:00:00Z', '2026-03-05T09:00:00Z'],
    ['daily', '2026-03-04T00:00:00Z', '2026-03-05T09:00:00Z'],
    ['daily', '2026-02-28T08:00:00Z', '2026-03-01T09:00:00Z'],
    ['weekly', '2026-03-04T12:00:00Z', '2026-03-09T09:00:00Z'],
    ['weekly', '2026-03-08T23:59:59Z', '2026-03-09T09:00:00Z'],
    ['weekly', '2026-03-09T00:00:00Z', '2026-03-16T09:00:00Z'],
    ['monthly', '2026-03-04T12:00:00Z', '2026-04-01T09:00:00Z'],
    ['monthly', '2026-03-01T00:00:00Z', '2026-04-01T09:00:00Z'],
    ['monthly', '2026-12-31T23:59:59Z', '2027-01-01T09:00:00Z'],
  ])('that is %s comes the day after or later: after %s at %s', (period, now, next) => {
    expect(nextReportAt(period, 'UTC', instant(now), 0).toString()).toBe(next)
  })

  test.each<[ReportPeriod, string, string, string]>([
    ['daily', 'Europe/Riga', '2026-03-28T12:00:00Z', '2026-03-29T06:00:00Z'],
    ['daily', 'Europe/Riga', '2026-03-27T12:00:00Z', '2026-03-28T07:00:00Z'],
    ['daily', 'Europe/Riga', '2026-10-24T12:00:00Z', '2026-10-25T07:00:00Z'],
    ['weekly', 'America/New_York', '2026-03-04T12:00:00Z', '2026-03-09T13:00:00Z'],
    ['weekly', 'America/New_York', '2026-03-02T12:00:00Z', '2026-03-09T13:00:00Z'],
    ['monthly', 'Australia/Lord_Howe', '2026-03-31T12:59:59Z', '2026-03-31T22:00:00Z'],
    ['monthly', 'Australia/Lord_Howe', '2026-03-31T13:00:00Z', '2026-04-30T22:30:00Z'],
    ['daily', 'Pacific/Kiritimati', '2026-03-04T09:59:59Z', '2026-03-04T19:00:00Z'],
    ['daily', 'Pacific/Kiritimati', '2026-03-04T10:00:00Z', '2026-03-05T19:00:00Z'],
  ])('that is %s comes at nine by the clock of %s: after %s at %s', (period, tz, now, next) => {
    expect(nextReportAt(period, tz, instant(now), 0).toString()).toBe(next)
  })

  test.each([
    [0, '09:00'],
    [0.5, '10:00'],
    [LAST, '10:59'],
  ])('with the random number %d comes at %s', (fraction, time) => {
    const next = nextReportAt('daily', 'Europe/Riga', instant('2026-03-28T12:00:00Z'), fraction)
    expect(next.toZonedDateTimeISO('Europe/Riga').toPlainTime().toString({ smallestUnit: 'minute' })).toBe(time)
  })
})

describe('a report that was due', () => {
  const slot = (period: ReportPeriod, due: string, now: string, tz = 'UTC') =>
    reportSchedule(period, tz).slot(instant(due), instant(now)).toString()

  test.each([
    ['2026-03-05T10:30:00Z', '2026-03-05T10:30:00Z'],
    ['2026-03-05T23:00:00Z', '2026-03-05T10:30:00Z'],
    ['2026-03-06T08:59:59Z', '2026-03-05T10:30:00Z'],
    ['2026-03-06T09:00:00Z', '2026-03-06T09:00:00Z'],
    ['2026-03-11T08:00:00Z', '2026-03-10T09:00:00Z'],
    ['2026-03-11T20:00:00Z', '2026-03-11T09:00:00Z'],
  ])('on the 5th at 10:30 is sent at %s as the one of %s', (now, expected) => {
    expect(slot('daily', '2026-03-05T10:30:00Z', now)).toBe(expected)
  })

  test('weekly or monthly is that of the latest Monday or first of a month after an outage', () => {
    expect(slot('weekly', '2026-03-09T09:05:00Z', '2026-03-15T23:00:00Z')).toBe('2026-03-09T09:05:00Z')
    expect(slot('weekly', '2026-03-09T09:05:00Z', '2026-03-26T12:00:00Z')).toBe('2026-03-23T09:00:00Z')
    expect(slot('monthly', '2026-03-01T09:05:00Z', '2026-05-01T08:00:00Z')).toBe('2026-04-01T09:00:00Z')
  })

  test('follows the wall clock on the day of a clock change too', () => {
    const now = '2026-03-29T06:30:00Z'
    expect(slot('daily', '2026-03-20T07:00:00Z', now, 'Europe/Riga')).toBe('2026-03-29T06:00:00Z')
  })
})

describe('a reminder that was due', () => {
  const due = instant('2026-03-04T12:00:00Z')
  const slot = (period: ReminderPeriod, now: string) => reminderSchedule(period).slot(due, instant(now)).toString()

  test('is the latest one that was due since', () => {
    expect(slot('hourly', '2026-03-04T12:00:00Z')).toBe('2026-03-04T12:00:00Z')
    expect(slot('hourly', '2026-03-04T12:59:59.999999Z')).toBe('2026-03-04T12:00:00Z')
    expect(slot('hourly', '2026-03-04T13:00:00Z')).toBe('2026-03-04T13:00:00Z')
    expect(slot('hourly', '2026-03-09T03:20:00Z')).toBe('2026-03-09T03:00:00Z')
    expect(slot('daily', '2026-03-09T03:20:00Z')).toBe('2026-03-08T12:00:00Z')
  })

  test('is followed by the next an hour or a day after', () => {
    expect(reminderSchedule('hourly').next(due, 0.9).toString()).toBe('2026-03-04T13:00:00Z')
    expect(reminderSchedule('daily').next(due, 0.9).toString()).toBe('2026-03-05T12:00:00Z')
  })
})

const schedules = fc.oneof(
  fc.constantFrom<ReminderPeriod>('hourly', 'daily').map(reminderSchedule),
  fc
    .tuple(
      fc.constantFrom<ReportPeriod>('daily', 'weekly', 'monthly'),
      fc.constantFrom('UTC', 'Europe/Riga', 'America/New_York', 'Asia/Beirut', 'Pacific/Kiritimati', 'Etc/GMT+12'),
    )
    .map(([period, tz]) => reportSchedule(period, tz)),
)
const moments = fc
  .integer({ min: 1_770_000_000, max: 1_810_000_000 })
  .map((s) => instant('1970-01-01T00:00:00Z').add({ seconds: s }))
const fractions = fc.integer({ min: 0, max: 1_000_000 }).map((n) => (n * LAST) / 1_000_000)

test('every mail is for a time between its date and now, the same at a second look, and the next is yet to come', () => {
  fc.assert(
    fc.property(schedules, moments, fc.nat({ max: 10_000_000 }), fractions, (schedule, start, late, fraction) => {
      const due = schedule.next(start, fraction)
      const now = due.add({ seconds: late })
      const slot = schedule.slot(due, now)
      expect(isAtOrAfter(slot, due) && isAtOrAfter(now, slot)).toBe(true)
      expect(schedule.slot(slot, now).toString()).toBe(slot.toString())
      expect(isBefore(now, schedule.next(slot, fraction))).toBe(true)
      expect(isBefore(slot, schedule.next(slot, 0))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

describe('an email that could not be sent', () => {
  const slot = instant('2026-03-04T12:00:00Z')
  const next = instant('2026-03-04T13:00:00Z')
  const retry = (attempts: number, now: string, retryAfterSeconds: number | null = null) =>
    retryMailingAt({ attempts, retryAfterSeconds }, slot, next, instant(now), 0.5)?.toString() ?? null

  test('is tried again after five seconds, and each time after twice as long', () => {
    expect(retry(1, '2026-03-04T12:00:00Z')).toBe('2026-03-04T12:00:05Z')
    expect(retry(4, '2026-03-04T12:01:00Z')).toBe('2026-03-04T12:01:40Z')
  })

  test('waits at least as long as it was asked to', () => {
    expect(retry(1, '2026-03-04T12:00:00Z', 90)).toBe('2026-03-04T12:01:30Z')
  })

  test('is given up when the next one is nearer than a tenth of the time between them', () => {
    expect(retry(1, '2026-03-04T12:53:54Z')).toBe('2026-03-04T12:53:59Z')
    expect(retry(1, '2026-03-04T12:53:55Z')).toBeNull()
    expect(retry(12, '2026-03-04T12:01:00Z')).toBeNull()
  })
})

test('the id of a mail is a UUID that only its receiver, kind and slot determine', () => {
  const channelId = aChannel().id
  const slot = instant('2026-03-05T10:30:00Z')
  const id = mailingId(channelId, 'report', slot)
  expect(isUuid(id)).toBe(true)
  expect(id).toMatch(/^.{14}8.{4}8/)
  expect(mailingId(channelId, 'report', instant('2026-03-05T10:30:00Z'))).toBe(id)
  const others = [
    mailingId(channelId, 'reminder', slot),
    mailingId('cccccccc-0000-4000-8000-000000000002', 'report', slot),
    mailingId(channelId, 'report', slot.add({ microseconds: 1 })),
  ]
  expect(new Set([id, ...others]).size).toBe(4)
})

describe('what a channel asks for', () => {
  const settings = { value: 'ops@example.org', report: 'weekly', reminder: 'hourly', tz: 'Europe/Riga' } as const

  test('is read from the settings of an email channel', () => {
    expect(mailChannelOf(aChannel({ kind: 'email', settings }))).toMatchObject({
      address: 'ops@example.org',
      report: 'weekly',
      reminder: 'hourly',
      tz: 'Europe/Riga',
    })
    expect(mailChannelOf(aChannel({ kind: 'email', settings: 'ops@example.org' }))).toMatchObject({
      report: null,
      reminder: null,
    })
  })

  test.each([
    ['of another kind', aChannel({ kind: 'webhook', settings })],
    ['with settings that fit no mail channel', aChannel({ kind: 'email', settings: {} })],
  ])('is nothing for a channel %s', (_, channel) => {
    expect(mailChannelOf(channel)).toBeNull()
  })
})

describe('the mailings of a channel', () => {
  const now = instant('2026-03-04T12:00:00Z')
  const asks = (over: Partial<MailChannel> = {}): MailChannel => ({
    address: 'ops@example.org',
    down: true,
    up: true,
    report: null,
    reminder: null,
    tz: 'UTC',
    ...over,
  })
  /** @param due date of the next report by the previous settings */
  const wanted = (before: MailChannel | null, after: MailChannel | null, due: string | null = null) => {
    const { report, ...rest } = wantedMailings(before, after, now, 0)
    return {
      ...rest,
      ...(report === undefined ? {} : { report: report?.(due === null ? null : instant(due)) ?? null }),
    }
  }

  test('start with the channel: reports at their first date, reminders a period from now', () => {
    expect(wanted(null, asks({ report: 'daily', reminder: 'hourly' }))).toEqual({
      report: instant('2026-03-05T09:00:00Z'),
      reminder: { periodSeconds: 3600, firstAt: instant('2026-03-04T13:00:00Z') },
    })
    expect(wanted(null, asks({ reminder: 'daily' }))).toEqual({
      reminder: { periodSeconds: 86_400, firstAt: instant('2026-03-05T12:00:00Z') },
    })
  })

  test('are none unless the settings ask for them', () => {
    expect(wanted(null, asks())).toEqual({})
    expect(wanted(null, null)).toEqual({})
  })

  test('keep their dates when something else is edited', () => {
    const before = asks({ report: 'daily', reminder: 'hourly' })
    expect(wanted(before, { ...before, address: 'dev@example.org', up: false })).toEqual({})
    expect(wanted(asks(), asks({ tz: 'Europe/Riga' }))).toEqual({})
  })

  test('get a new date when their period is edited', () => {
    const before = asks({ report: 'daily', reminder: 'hourly' })
    const due = '2026-03-05T10:30:00Z'
    expect(wanted(before, { ...before, report: 'monthly' }, due)).toEqual({ report: instant('2026-04-01T09:00:00Z') })
    expect(wanted(before, { ...before, report: 'monthly', tz: 'Asia/Tokyo' }, due)).toEqual({
      report: instant('2026-04-01T00:00:00Z'),
    })
    expect(wanted(before, { ...before, reminder: 'daily' })).toEqual({
      reminder: { periodSeconds: 86_400, firstAt: instant('2026-03-05T12:00:00Z') },
    })
  })

  test.each([
    ['daily', 'a day that is yet to come', 'UTC', '2026-03-05T10:30:00Z', 'Europe/Riga', '2026-03-05T08:30:00Z'],
    ['daily', 'this morning, not sent yet', 'UTC', '2026-03-04T10:30:00Z', 'Europe/Riga', '2026-03-04T08:30:00Z'],
    ['daily', 'this morning, yet to come', 'America/New_York', '2026-03-04T14:30:00Z', 'UTC', '2026-03-04T09:30:00Z'],
    ['daily', 'this morning, now later', 'UTC', '2026-03-04T10:30:00Z', 'Pacific/Honolulu', '2026-03-04T20:30:00Z'],
    [
      'daily',
      'a day that has begun there',
      'UTC',
      '2026-03-05T10:30:00Z',
      'Pacific/Kiritimati',
      '2026-03-04T20:30:00Z',
    ],
    ['weekly', 'the Monday', 'UTC', '2026-03-09T10:30:00Z', 'America/New_York', '2026-03-09T14:30:00Z'],
    ['monthly', 'the first', 'UTC', '2026-04-01T10:30:00Z', 'Europe/Riga', '2026-04-01T07:30:00Z'],
    ['monthly', 'the first', 'UTC', '2026-03-01T10:30:00Z', 'Europe/London', '2026-03-01T10:30:00Z'],
  ] as const)('that are reports stay %s on %s when the zone is edited', (report, _, from, due, to, expected) => {
    const before = asks({ report, reminder: 'hourly', tz: from })
    expect(wanted(before, { ...before, tz: to }, due)).toEqual({ report: instant(expected) })
  })

  test('that are reports without a date get their first one when the zone is edited', () => {
    const before = asks({ report: 'daily' })
    expect(wanted(before, { ...before, tz: 'Europe/Riga' })).toEqual({ report: instant('2026-03-05T07:00:00Z') })
  })

  test('end when the settings no longer ask for them', () => {
    const before = asks({ report: 'daily', reminder: 'hourly' })
    expect(wanted(before, { ...before, report: null })).toEqual({ report: null })
    expect(wanted(before, { ...before, reminder: null })).toEqual({ reminder: null })
    expect(wanted(before, null)).toEqual({ report: null, reminder: null })
  })
})
