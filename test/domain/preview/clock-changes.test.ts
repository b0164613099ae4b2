/** Runs of a schedule around clock changes. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { clockChanges } from '../../../src/domain/preview/clock-changes.ts'
import { nextAfter } from '../../../src/domain/schedule/schedule.ts'
import { type Instant, Temporal } from '../../../src/lib/time.ts'

const NOVEMBER = Temporal.Instant.from('2026-11-22T00:00:00Z')

const changes = (kind: 'cron' | 'oncalendar', schedule: string, tz: string, from: Instant = NOVEMBER) =>
  clockChanges({ kind, schedule, tz }, from)
/** Returns the effects on the schedule of the first change forward and of the first back. */
const effects = (kind: 'cron' | 'oncalendar', schedule: string, tz: string) => {
  const found = changes(kind, schedule, tz)
  return [true, false].map((isForward) => found.find((change) => change.isForward === isForward)?.effect)
}
/** Returns the second sentence. */
const said = (kind: 'cron' | 'oncalendar', schedule: string, tz: string, index: 0 | 1) =>
  changes(kind, schedule, tz)[index]?.words.split('. ')[1]

describe('the clock changes of a schedule', () => {
  test('are the next two of its zone', () => {
    const found = changes('cron', '30 3 * * *', 'Europe/Riga')
    expect(found.map(({ at, before, after, isForward }) => [String(at), before, after, isForward])).toEqual([
      ['2027-03-28T01:00:00Z', '03:00', '04:00', true],
      ['2027-10-31T01:00:00Z', '04:00', '03:00', false],
    ])
    expect(found.map(({ words }) => words)).toEqual([
      'On 28 March 2027 clocks go forward from 03:00 to 04:00. The run at 03:30 moves to 04:00 that day.',
      'On 31 October 2027 clocks go back from 04:00 to 03:00. The run at 03:30 happens once, the first time that clocks show it.',
    ])
  })

  test('are those after the given time', () => {
    const [change] = changes('cron', '30 3 * * *', 'Europe/Riga')
    expect(change && changes('cron', '30 3 * * *', 'Europe/Riga', change.at)[0]?.isForward).toBe(false)
    expect(clockChanges({ kind: 'cron', schedule: '30 3 * * *', tz: 'Europe/Riga' }, NOVEMBER, 5)).toHaveLength(5)
  })

  test('are none for a period, and where clocks do not change', () => {
    expect(clockChanges({ kind: 'simple', schedule: '* * * * *', tz: 'Europe/Riga' }, NOVEMBER)).toEqual([])
    for (const tz of ['UTC', 'Asia/Kathmandu', 'Pacific/Apia']) expect(changes('cron', '30 3 * * *', tz)).toEqual([])
  })

  test('at midnight belong to the day that they end or begin', () => {
    expect(changes('cron', '30 23 * * *', 'America/Santiago').map(({ words }) => words)).toEqual([
      'On 3 April 2027 clocks go back from 24:00 to 23:00. The run at 23:30 happens once, the first time that clocks show it.',
      'On 5 September 2027 clocks go forward from 00:00 to 01:00. No run is expected between 00:00 and 01:00.',
    ])
  })

  test('may be half an hour, or a day', () => {
    expect(changes('cron', '15 2 * * *', 'Australia/Lord_Howe')[1]?.words).toBe(
      'On 3 October 2027 clocks go forward from 02:00 to 02:30. The run at 02:15 moves to 02:30 that day.',
    )
    const [skippedDay] = changes('oncalendar', '2:30', 'Pacific/Apia', Temporal.Instant.from('2011-11-01T00:00:00Z'))
    expect(skippedDay?.words).toBe(
      'On 30 December 2011 clocks go forward from 00:00 to 00:00 on 31 December 2011. The run at 02:30 does not happen that day.',
    )
  })

  test('are those of each zone that lines of OnCalendar name', () => {
    const lines = '03:30 Europe/Riga\r\n02:30 America/New_York\n04:00'
    expect(changes('oncalendar', lines, 'America/New_York').map(({ words }) => words)).toEqual([
      'On 14 March 2027 clocks go forward from 02:00 to 03:00. The run at 02:30 does not happen that day.',
      'On 28 March 2027 clocks in Europe/Riga go forward from 03:00 to 04:00. The run at 03:30 does not happen that day.',
    ])
    expect(changes('oncalendar', 'daily Europe/Riga', 'UTC')).toHaveLength(2)
    expect(changes('oncalendar', '*-02-30 Europe/Riga\ndaily', 'UTC')).toEqual([])
  })
})

describe('skipped and repeated times', () => {
  test.each([
    ['cron', '30 3 * * *', 'moved', 'untouched'],
    ['cron', '15,45 3 * * *', 'moved', 'untouched'],
    ['cron', '30 */3 * * *', 'skipped', 'repeated'],
    ['cron', '*/20 2-4 * * *', 'skipped', 'repeated'],
    ['oncalendar', '3:30', 'skipped', 'untouched'],
    // The run at 04:00 is one of its own.
    ['cron', '0 3,4 * * *', 'skipped', 'untouched'],
    // Not on a Sunday.
    ['cron', '30 3 * * 1-6', 'untouched', 'untouched'],
    ['cron', '30 2 * * *', 'untouched', 'untouched'],
    // In the same rhythm.
    ['cron', '7 * * * *', 'untouched', 'untouched'],
    ['cron', '*/5 * * * *', 'untouched', 'untouched'],
    ['oncalendar', 'hourly', 'untouched', 'untouched'],
  ] as const)('of the %s schedule %s are %s and %s in Riga', (kind, schedule, spring, autumn) => {
    expect(effects(kind, schedule, 'Europe/Riga')).toEqual([spring, autumn])
  })

  test('disturb an hourly schedule where clocks change by half an hour', () => {
    expect(effects('cron', '0 * * * *', 'Australia/Lord_Howe')).toEqual(['skipped', 'untouched'])
    expect(effects('cron', '*/30 * * * *', 'Australia/Lord_Howe')).toEqual(['untouched', 'untouched'])
  })

  test('move the run of a Sunday at midnight', () => {
    expect(effects('cron', '0 0 * * 0', 'America/Santiago')).toEqual(['moved', 'untouched'])
  })

  test('are said in words', () => {
    const riga = (schedule: string, index: 0 | 1) => said('cron', schedule, 'Europe/Riga', index)
    expect(riga('15,45 3 * * *', 0)).toBe('The runs at 03:15 and 03:45 become one run at 04:00 that day.')
    expect(riga('*/20 2-4 * * *', 0)).toBe('The runs at 03:00, 03:20 and 03:40 do not happen that day.')
    expect(riga('*/20 2-4 * * *', 1)).toBe('The runs at 03:00, 03:20 and 03:40 happen twice that day.')
    expect(riga('* 3 * * *', 1)).toBe('The runs between 03:00 and 04:00 happen twice that day.')
    expect(riga('30 */3 * * *', 1)).toBe('The run at 03:30 happens twice that day.')
    expect(riga('0 * * * *', 0)).toBe('The time between runs stays the same.')
    expect(riga('0 12 * * *', 1)).toBe('No run is expected between 03:00 and 04:00.')
    expect(said('oncalendar', '*:0/5', 'Europe/Riga', 1)).toBe(
      'The runs between 03:00 and 04:00 happen once, the first time that clocks show them.',
    )
  })
})

test('a daily schedule runs at each change as its effect says, in any zone', () => {
  const seen = { untouched: 0, moved: 0, skipped: 0, repeated: 0 }
  const zones = ['Europe/Riga', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Africa/Casablanca']
  const minutes = fc.integer({ min: 0, max: 299 }).map((minute) => (minute < 240 ? minute : minute + 1_140))
  const property = fc.property(fc.constantFrom(...zones), minutes, fc.boolean(), (tz, minute, isCron) => {
    const [hours, rest] = [Math.floor(minute / 60), minute % 60]
    const schedule = isCron ? `${rest} ${hours} * * *` : `${hours}:${rest}`
    for (const { at, effect, isForward } of changes(isCron ? 'cron' : 'oncalendar', schedule, tz)) {
      const before = at.subtract({ seconds: 1 })
      const zoned = before.toZonedDateTimeISO(tz)
      const shift = at.toZonedDateTimeISO(tz).offsetNanoseconds - zoned.offsetNanoseconds
      const next = nextAfter(schedule, tz, before)
      const local = next?.toZonedDateTimeISO(tz)
      const isItsTime = local?.hour === hours && local.minute === rest
      const gap = zoned.add({ seconds: 1 }).toPlainDateTime().subtract({ nanoseconds: shift })
      const skipped = isForward && Array.from({ length: shift / 60e9 }, (_, later) => gap.add({ minutes: later }))
      const isSkipped = skipped !== false && skipped.some((time) => time.hour === hours && time.minute === rest)
      expect(effect).toBe(isSkipped ? (isCron ? 'moved' : 'skipped') : 'untouched')
      expect(isItsTime).toBe(effect !== 'moved')
      if (effect === 'moved') expect(next?.equals(at)).toBe(true)
      seen[effect] += 1
    }
  })
  fc.assert(property, { numRuns: 300 })
  expect(seen.moved).toBeGreaterThan(0)
  expect(seen.skipped).toBeGreaterThan(0)
  expect(seen.repeated).toBe(0)
})
