/** Slots: the times at which runs are expected. */
import { describe, expect, test } from 'bun:test'
import { nextSilentChange, passedSlots, slotsBetween, type Timing } from '../../../src/domain/check/slots.ts'
import { type Instant, Temporal } from '../../../src/lib/time.ts'
import { at, NOON } from '../../support/builders.ts'

const simple = (timeoutSeconds: number): Timing => ({ kind: 'simple', timeoutSeconds, schedule: '', tz: 'UTC' })
const cron = (schedule: string, tz = 'UTC'): Timing => ({ kind: 'cron', timeoutSeconds: 60, schedule, tz })

/** Returns the slots as text, with a plus when there are more. */
const slots = (timing: Timing, after: Instant, until: Instant, limit = 10) => {
  const found = slotsBetween(timing, after, until, limit)
  return [...found.slots.map(String), ...(found.more ? ['+'] : [])]
}
const count = (timing: Timing, anchor: Instant, from: Instant, until: Instant, limit = 10) =>
  passedSlots(timing, anchor.epochMilliseconds, { from: from.epochMilliseconds, until: until.epochMilliseconds }, limit)
    .count

describe('the slots of a simple check', () => {
  test('follow its last ping, one period apart, to the microsecond; the end belongs to them', () => {
    const after = at('12:00:00.000007')
    expect(slots(simple(60), after, at('12:02:00.000007'))).toEqual([
      '2026-03-04T12:01:00.000007Z',
      '2026-03-04T12:02:00.000007Z',
    ])
    expect(slots(simple(60), after, at('12:01:00.000006'))).toEqual([])
  })

  test('are counted in any part of the time since', () => {
    expect(count(simple(60), NOON, NOON, at('12:05'))).toBe(5)
    expect(count(simple(60), NOON, at('12:02'), at('12:05'))).toBe(3)
    expect(count(simple(60), NOON, at('12:02:30'), at('12:04:59'))).toBe(2)
    expect(count(simple(60), NOON, NOON, at('13:00'))).toBe(10)
  })
})

describe('the slots of a schedule', () => {
  test('are its occurrences, without the beginning and with the end', () => {
    expect(slots(cron('*/15 * * * *'), NOON, at('12:30'))).toEqual(['2026-03-04T12:15:00Z', '2026-03-04T12:30:00Z'])
    expect(count(cron('*/15 * * * *'), NOON, NOON, at('12:30'))).toBe(2)
  })

  test('begin after the second of the last ping', () => {
    expect(slots(cron('* * * * *'), at('12:00:59.999999'), at('12:01:30'))).toEqual(['2026-03-04T12:01:00Z'])
    expect(slots(cron('* * * * *'), at('12:01:00.000001'), at('12:01:30'))).toEqual([])
  })

  test('are those of its zone, also where the clock changes', () => {
    const night = (day: string) => Temporal.Instant.from(`2026-03-${day}T12:00:00Z`)
    const daily = slots(cron('30 3 * * *', 'Europe/Riga'), night('27'), night('30'))
    // Clocks skip 03:30 on the 29th, so cron runs the job at 04:00, which is 01:00 in UTC.
    expect(daily).toEqual(['2026-03-28T01:30:00Z', '2026-03-29T01:00:00Z', '2026-03-30T00:30:00Z'])
  })

  test('end with the schedule', () => {
    const once: Timing = { kind: 'oncalendar', timeoutSeconds: 60, schedule: '2026-03-04 12:20', tz: 'UTC' }
    expect(slots(once, NOON, at('23:00'))).toEqual(['2026-03-04T12:20:00Z'])
    expect(slots(once, at('12:20'), at('23:00'))).toEqual([])
  })

  test('that can no longer be read are none', () => {
    expect(slots(cron('* * * * *', 'Mars/Olympus'), NOON, at('13:00'))).toEqual([])
    expect(slots(cron('61 * * * *'), NOON, at('13:00'))).toEqual([])
  })
})

test('a list of slots ends at its limit and says that there are more', () => {
  expect(slots(simple(60), NOON, at('12:03'), 2)).toEqual(['2026-03-04T12:01:00Z', '2026-03-04T12:02:00Z', '+'])
  expect(slots(simple(60), NOON, at('12:02'), 2)).toHaveLength(2)
})

test('a stretch that ends before it begins has no slots', () => {
  expect(slots(simple(60), NOON, at('11:00'))).toEqual([])
  expect(slots(cron('* * * * *'), NOON, at('11:00'))).toEqual([])
  expect(count(simple(60), NOON, at('12:05'), at('12:02'))).toBe(0)
})

describe('time alone changes which runs are due or missing', () => {
  const next = (timing: Timing, graceSeconds: number, now: Instant) =>
    String(nextSilentChange({ ...timing, graceSeconds }, NOON, now)).slice(11)

  test.each([
    ['12:00:30', '12:01:00Z'],
    ['12:01', '12:01:20Z'],
    ['12:01:20', '12:02:00Z'],
    ['12:10:01', '12:10:20Z'],
  ])('at a slot and a grace time after one: after %s at %s', (now, expected) => {
    expect(next(simple(60), 20, at(now))).toBe(expected)
    expect(next(cron('* * * * *'), 20, at(now))).toBe(expected)
  })

  test('no more after the last slot of a schedule', () => {
    const once: Timing = { kind: 'oncalendar', timeoutSeconds: 60, schedule: '2026-03-04 12:20', tz: 'UTC' }
    expect(next(once, 600, at('12:20'))).toBe('12:30:00Z')
    expect(nextSilentChange({ ...once, graceSeconds: 600 }, NOON, at('12:30'))).toBeNull()
  })
})
