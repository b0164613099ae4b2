import { describe, expect, test } from 'bun:test'
import type { Fix } from '../../../../src/domain/advice/advice.ts'
import { advise } from '../../../../src/domain/advice/advise.ts'
import { advised, DAY, facts, HOUR, nightly, START, sentenceOf } from '../facts.ts'

const textOf = (schedule: string) => {
  const now = START + HOUR
  return advise(facts({ check: { schedule } }), now).map((advice) => [
    advice.variant,
    sentenceOf(advice, now),
    advice.fix,
  ])
}
const ask: Fix = { do: 'ask', about: 'schedule' }
const set = (schedule: string): Fix => ({ do: 'set', settings: { schedule } })

describe('a schedule that means something else', () => {
  test.each<[string, string, string, Fix]>([
    [
      '* 3,4 * * *',
      'every-minute',
      'It is due 60 times in each of its hours: a * in the minute field means every minute.',
      set('0 3,4 * * *'),
    ],
    ['*/45 * * * *', 'step', '*/45 is due at :00 and :45, which is not every 45 minutes.', ask],
    ['*/7 * * * *', 'step', '*/7 is due at :00, :07, :14, … and :56, which is not every 7 minutes.', ask],
    ['0 */9 * * *', 'step', '*/9 is due at 00:00, 09:00 and 18:00, which is not every 9 hours.', ask],
    ['0 3 31 * *', 'day', 'There is no 31st in 5 months, so it is not due then.', set('0 3 L * *')],
    ['0 3 30 * *', 'day', 'There is no 30th in one month, so it is not due then.', ask],
    ['0 3 29 * *', 'day', 'There is no 29th in most Februaries, so it is not due then.', ask],
    ['0 3 1-7 * 1', 'either', 'It is due on the days of the month and on the weekdays: either one is enough.', ask],
  ])('%s', (schedule, variant, sentence, fix) => expect(textOf(schedule)).toEqual([[variant, sentence, fix]]))

  test.each([
    '* * * * *',
    '* */2 * * *',
    '*/15 * * * *',
    '0 */6 * * *',
    '0 3 31 1,3 *',
    '0 3 L * *',
    '0 3 */2 * 1',
    '0 3 1-7 * *',
  ])('%s means what it says', (schedule) => expect(textOf(schedule)).toEqual([]))

  test('is not told once three runs came in time', () => {
    const check = { schedule: '0 3 1-7 * 1' }
    expect(advised(facts({ check, log: nightly(2) }), START + DAY + 3.5 * HOUR)).toEqual(['text/either'])
    expect(advised(facts({ check, log: nightly(3) }), START + 2 * DAY + 3.5 * HOUR)).toEqual([])
  })

  test('is not told of a zone that has left the zone data', () => {
    expect(advised(facts({ check: { tz: 'Left/The_Zone_Data' } }), START + HOUR)).toEqual([])
  })
})

describe('a coming change of the clocks', () => {
  const october = Date.UTC(2026, 9, 25)
  const check = { tz: 'Europe/Riga', createdAt: october - 30 * DAY, changedAt: october - 30 * DAY }

  test('is told of a run that is repeated, two weeks before', () => {
    const everyHalfHour = { ...check, schedule: '*/30 3 * * *' }
    const at = (days: number) =>
      advised(facts({ check: { ...everyHalfHour, createdAt: october - days * DAY } }), october - days * DAY)
    expect([at(13), at(15)]).toEqual([['text/clocks'], []])
  })
})
