import { describe, expect, test } from 'bun:test'
import { advise } from '../../../../src/domain/advice/advise.ts'
import { moved, timeSet } from '../../../../src/domain/advice/timing/schedule-edits.ts'
import { advised, DAY, facts, HOUR, MINUTE, ping, START, said } from '../facts.ts'

describe('a schedule at another time', () => {
  test.each([
    ['0 3 * * *', 2 * HOUR, '0 5 * * *'],
    ['30 23 * * *', HOUR, '30 0 * * *'],
    ['0 0 * * *', -MINUTE, '59 23 * * *'],
    ['30  2 * * 1-5', 15 * MINUTE, '45  2 * * 1-5'],
    ['0 * * * *', 25 * MINUTE, '25 * * * *'],
    ['50 * * * *', 20 * MINUTE, '10 * * * *'],
    ['0 */6 * * *', 5 * MINUTE, '5 */6 * * *'],
    ['Mon..Fri *-*-* 03:00', 4.5 * HOUR, 'Mon..Fri *-*-* 07:30'],
    ['*-*-* 23:30:00', HOUR, '*-*-* 00:30:00'],
    ['03:00', 10 * MINUTE, '03:10'],
  ])('%j moved by %d ms', (schedule, by, expected) => {
    expect(moved(schedule, by)).toBe(expected)
  })

  test.each([
    ['30 23 * * 1-5', HOUR],
    ['0 0 1 * *', -MINUTE],
    ['50 */6 * * *', 20 * MINUTE],
    ['*/5 * * * *', MINUTE],
    ['0 3,15 * * *', HOUR],
    ['*-*-* 00/2:00', MINUTE],
    ['*-*-* 03,15:00', MINUTE],
    ['Mon 23:30', HOUR],
    ['03:00\n04:00', HOUR],
    ['03:00 Europe/Berlin', HOUR],
  ])('%j can not be moved by %d ms', (schedule, by) => {
    expect(moved(schedule, by)).toBeNull()
  })

  test('is set to five minutes where runs begin soon after them', () => {
    expect([5 * HOUR + 90_000, 5 * HOUR + 3.5 * MINUTE, 5 * HOUR].map(timeSet)).toEqual([
      5 * HOUR,
      5 * HOUR + 3 * MINUTE,
      5 * HOUR,
    ])
  })
})

/** Pings on several days, at the same time of day. */
const daily = (days: number, time: number, first = 0) =>
  Array.from({ length: days }, (_, index) => ping(START + (first + index) * DAY + time + index * 1_000))

describe('a job that was moved', () => {
  const log = [...daily(12, 3 * HOUR), ...daily(3, 5 * HOUR + 10 * MINUTE, 12)]
  const now = START + 14 * DAY + 6 * HOUR

  test('gets its new time after three runs', () => {
    expect(said(facts({ log }), now)).toBe('Runs at 05:10 UTC, 2 h 10 min after it is due, each of the last 3 times.')
    expect(advise(facts({ log }), now)[0]?.fix).toEqual({ do: 'set', settings: { schedule: '10 5 * * *' } })
  })

  test('is a question where the text has no plain time', () => {
    const [first] = advise(facts({ log, check: { schedule: '0 3-3 * * *' } }), now)
    expect(first?.fix).toEqual({ do: 'ask', about: 'schedule' })
  })
})

test('a run some minutes early gets a schedule that begins before it', () => {
  const log = daily(6, 3 * HOUR - 3 * MINUTE)
  expect(advise(facts({ log }), START + 5 * DAY + 3 * HOUR)[0]).toMatchObject({
    ...{ kind: 'time', variant: 'early' },
    fix: { do: 'set', settings: { schedule: '57 2 * * *' } },
  })
})

test('another time within the grace time is asked about where starts tell it', () => {
  const check = { graceSeconds: 10_800 }
  const log = daily(9, 4 * HOUR + 40 * MINUTE)
  const now = START + 8 * DAY + 5 * HOUR
  expect(advised(facts({ check, log }), now)).toEqual([])
  expect(said(facts({ check, log: log.map((each) => ({ ...each, duration: 0.5 })) }), now)).toBe(
    'Runs at 04:40 UTC, 1 h 40 min after it is due, each of the last 8 times. That is within the grace time, so no alert is sent, but an outage is noticed late.',
  )
})
