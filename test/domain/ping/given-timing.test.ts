/** The timing of a check that a ping creates. */
import { expect, test } from 'bun:test'
import { readGivenTiming, type TimingTexts } from '../../../src/domain/ping/given-timing.ts'

const read = (given: Partial<TimingTexts>) => readGivenTiming({ schedule: null, tz: null, grace: null, ...given })

test('without any of it, the check is as every new one', () => expect(read({})).toEqual({}))

test.each([
  ['86400', 86_400],
  ['1d', 86_400],
  ['90m', 5_400],
  ['1h30m', 5_400],
  ['2 weeks', 1_209_600],
  ['@every 5m', 300],
])('a schedule may be a span: %s', (schedule, timeoutSeconds) => expect(read({ schedule })).toEqual({ timeoutSeconds }))

test.each([
  ['0 3 * * *', { kind: 'cron', schedule: '0 3 * * *' }],
  ['@daily', { kind: 'cron', schedule: '0 0 * * *' }],
  ['Mon..Fri 03:00', { kind: 'oncalendar', schedule: 'Mon..Fri 03:00' }],
] as const)('a schedule may be an expression: %s', (schedule, timing) => expect(read({ schedule })).toEqual(timing))

test('zone and grace time go with it, and each may stand alone', () => {
  expect(read({ schedule: '0 3 * * *', tz: 'Europe/Riga', grace: '30m' })).toEqual({
    ...{ kind: 'cron', schedule: '0 3 * * *' },
    ...{ tz: 'Europe/Riga', graceSeconds: 1_800 },
  })
  expect(read({ grace: '3600' })).toEqual({ graceSeconds: 3_600 })
})

const SPAN = 'is not a span from 60 to 31536000 seconds: write seconds, such as 3600, or a span, such as 1h'

test.each<[Partial<TimingTexts>, string]>([
  [{ schedule: '59' }, `schedule ${SPAN}`],
  [{ schedule: '400d' }, `schedule ${SPAN}`],
  [{ schedule: '@every soon' }, `schedule ${SPAN}`],
  [{ schedule: 'x'.repeat(101) }, 'schedule is too long: use at most 100 characters'],
  [{ grace: '' }, `grace ${SPAN}`],
  [{ grace: '0 3 * * *' }, `grace ${SPAN}`],
  [{ tz: 'Riga' }, 'tz is not a time zone: use a name such as Europe/Riga'],
])('%j is refused with what to write', (given, words) => expect(read(given)).toBe(words))

test('of an expression, the mistake is told', () => {
  expect(read({ schedule: '61 3 * * *' })).toStartWith(
    'schedule is neither a span, a cron nor an OnCalendar expression: ',
  )
  expect(read({ schedule: '' })).toStartWith('schedule is neither a span, a cron nor an OnCalendar expression: ')
})
