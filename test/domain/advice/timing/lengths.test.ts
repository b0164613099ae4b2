/** Advice that is based on how long runs take and how often they happen. */
import { describe, expect, test } from 'bun:test'
import { graceForNeed, roundGrace, roundPeriod } from '../../../../src/domain/advice/round.ts'
import { advised, DAY, facts, HOUR, MINUTE, nightly, ping, START, said } from '../facts.ts'

test('round grace times and periods are those that people choose', () => {
  expect([0, 61_000, 46 * MINUTE, 106 * MINUTE, 17 * HOUR, 80 * HOUR].map(roundGrace)).toEqual(
    [1, 2, 60, 120, 24 * 60, 96 * 60].map((minutes) => minutes * MINUTE),
  )
  expect(graceForNeed(87 * MINUTE)).toBe(105 * MINUTE)
  expect([24 * HOUR + 7 * MINUTE, 62 * MINUTE, 14.5 * MINUTE, 50_000].map(roundPeriod)).toEqual([
    DAY,
    HOUR,
    15 * MINUTE,
    50_000,
  ])
})

describe('slow runs', () => {
  const check = { graceSeconds: 14_400 }
  const timed = (days: number, slow: number) =>
    nightly(days, (day) => ({ duration: day < days - slow ? 2_400 + day : 5_100 - day }))

  test('are told from the fifth on, and still of a dozen', () => {
    const told = [4, 5, 12].map((slow) => {
      const log = timed(20 + slow, slow)
      return said(facts({ check, log }), (log.at(-1)?.at ?? 0) + MINUTE)
    })
    expect(told).toEqual([
      '',
      'The last 5 runs took about 1 h 25 min, the 20 before about 40 min.',
      'The last 12 runs took 1 h 24 min to 1 h 25 min, the 20 before about 40 min.',
    ])
  })

  test('are not told where ends of crossing runs took the starts of others', () => {
    const log = timed(25, 5)
    const [first = START] = log.map(({ at }) => at)
    const crossed = [
      ping(first - 2 * HOUR, { kind: 'start' }),
      ping(first - 2 * HOUR + MINUTE, { kind: 'start' }),
      ping(first - 2 * HOUR + 2 * MINUTE, { duration: 60 }),
    ]
    expect(advised(facts({ check, log: [...crossed, ...log] }), (log.at(-1)?.at ?? 0) + MINUTE)).not.toContain(
      'slow/longer',
    )
  })
})

test('a grace time as long as the distance of slots never notices a missing run', () => {
  expect(said(facts({ check: { graceSeconds: 86_400 }, log: nightly(10) }), START + 9 * DAY + 4 * HOUR)).toBe(
    'A single missing run is never noticed: the next run starts within its grace time. 2 h 30 min would have covered all 10 runs.',
  )
})

describe('a job that runs more often than its schedule says', () => {
  /** Runs every hour from 08:00 to 17:00. */
  const busy = (days: number) =>
    Array.from({ length: days }, (_, day) =>
      Array.from({ length: 10 }, (_, hour) => ping(START + day * DAY + (8 + hour) * HOUR + 1_000)),
    ).flat()
  const morning = { schedule: '0 8-10 * * *', graceSeconds: 900 }

  test('is told at once where its runs come closer', () => {
    expect(said(facts({ check: { schedule: '0 8 * * *' }, log: busy(1) }), START + 17.1 * HOUR)).toContain(
      'Runs every hour, expected daily at 08:00 UTC: an outage is noticed after 1 d 1 h; it could be ',
    )
  })

  test('is told after a week where it only runs at more hours', () => {
    expect(advised(facts({ check: morning, log: busy(6) }), START + 5 * DAY + 17.1 * HOUR)).toEqual([])
    expect(advised(facts({ check: morning, log: busy(8) }), START + 7 * DAY + 17.1 * HOUR)).toEqual(['often/schedule'])
  })
})

describe('a job that runs on some weekdays only', () => {
  /** May begins on Monday the 4th here, so days 2, 9, 16 and 23 are Wednesdays. */
  const without = (left: readonly number[], days: number) => nightly(days).filter((_, day) => !left.includes(day))
  const toldOf = (left: readonly number[], days: number) =>
    said(facts({ log: without(left, days) }), START + (days - 1) * DAY + 5 * HOUR)

  test('is told once it has skipped four of them', () => {
    expect([toldOf([2, 9, 16], 23), toldOf([2, 9, 16, 23], 30)]).toEqual([
      '',
      'No run on 4 Wednesdays: it seems to run on Mondays, Tuesdays, Thursdays, Fridays, Saturdays and Sundays at 03:00 UTC.',
    ])
  })

  test('is not told where two of them are in outages of several days', () => {
    expect(toldOf([2, 9, 15, 16, 22, 23], 30)).toBe('')
  })
})

test('an unreadable zone of the check itself gives no advice on timing', () => {
  expect(advised(facts({ check: { tz: 'Mars/Base' }, log: nightly(9) }), START + 9 * DAY)).not.toContainAnyValues([
    'zone/known',
    'time/late',
  ])
})
