/** Examples of late and missing runs. */
import { describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { pause } from '../../../src/domain/check/pause.ts'
import { missingRuns, punctuality } from '../../../src/domain/check/punctuality.ts'
import { runMarks } from '../../../src/domain/check/run-history.ts'
import { type Instant, Temporal } from '../../../src/lib/time.ts'
import { aCheck, at, NOON } from '../../support/builders.ts'

const MINUTE = 60
const HOUR = 3_600

/** A check that expects a ping every hour, with ten minutes of grace. Its last ping was at noon. */
const hourly = (given: Partial<Check> = {}) =>
  aCheck({ status: 'up', timeoutSeconds: HOUR, graceSeconds: 10 * MINUTE, lastPingAt: NOON, ...given })
/** A check that expects a ping at each full hour in a time zone, with ten minutes of grace. Its last ping was at noon. */
const byCron = (given: Partial<Check> = {}) => hourly({ kind: 'cron', schedule: '0 * * * *', ...given })

/** Returns `late` or `ok`, and the number of missing runs before it. */
const judged = (check: Check, now: Instant, startedAt: Instant | null = null) => {
  const { isLate, missed } = punctuality(check, startedAt, now)
  return [isLate ? 'late' : 'ok', missed]
}

describe('a run', () => {
  test.each([
    ['12:30', 'ok', 0],
    ['13:00', 'ok', 0],
    ['13:09:59.999999', 'ok', 0],
    ['13:10', 'late', 0],
    ['13:59:59.999999', 'late', 0],
    ['14:00', 'ok', 1],
    ['14:10', 'late', 1],
    ['17:05', 'ok', 4],
  ] as const)('at %s after one at noon is %s, and %p are missing before it', (time, kind, missed) => {
    expect(judged(hourly(), at(time))).toEqual([kind, missed])
    expect(judged(byCron(), at(time))).toEqual([kind, missed])
  })

  test('that comes far too late has no more than thirty missing runs before it', () => {
    for (const check of [hourly({ timeoutSeconds: MINUTE }), byCron({ schedule: '* * * * *' })]) {
      expect(judged(check, at('20:00:30'))).toEqual(['ok', 30])
    }
  })

  test('is never late for a slot if the grace time reaches to the next one', () => {
    expect(judged(hourly({ graceSeconds: 2 * HOUR }), at('13:59'))).toEqual(['ok', 0])
    expect(judged(byCron({ graceSeconds: 2 * HOUR }), at('15:59'))).toEqual(['ok', 2])
  })

  test.each([{ status: 'new' }, { status: 'paused' }, { status: 'up', lastPingAt: null }] as const)(
    'of a check that expects nothing (%j) is on time',
    (given) => {
      expect(judged(hourly(given), at('20:09'))).toEqual(['ok', 0])
    },
  )

  test('after a pause is on time, also if the run that ended the pause took too long', () => {
    const paused = pause(hourly(), at('13:00'))?.check
    const down = { ...hourly(paused), status: 'down', lastStartAt: at('18:00') } as const
    expect(judged(down, at('20:05'), null)).toEqual(['ok', 0])
    expect(missingRuns(down, at('20:05'))).toBe(0)
  })

  test('of a check that is down counts from its last ping', () => {
    expect(judged(hourly({ status: 'down' }), at('15:01'))).toEqual(['ok', 2])
  })

  test('before the clock was set back is on time', () => {
    expect(judged(hourly(), at('11:00'))).toEqual(['ok', 0])
    expect(judged(byCron(), at('09:00'))).toEqual(['ok', 0])
  })

  test('of a schedule that can no longer be read is on time', () => {
    expect(judged(byCron({ tz: 'Mars/Olympus' }), at('20:00'))).toEqual(['ok', 0])
  })
})

describe('a run with a start', () => {
  test('answers the last slot before its start, however long it takes within the grace time', () => {
    expect(judged(hourly(), at('14:02'), at('13:55'))).toEqual(['late', 0])
    expect(judged(hourly(), at('14:09'), at('14:02'))).toEqual(['ok', 1])
    expect(judged(byCron({ graceSeconds: HOUR / 2 }), at('13:31'), at('13:05'))).toEqual(['ok', 0])
  })

  test('that takes as long as the grace time is late', () => {
    expect(judged(hourly(), at('13:10:59'), at('13:01'))).toEqual(['ok', 0])
    expect(judged(hourly(), at('13:11'), at('13:01'))).toEqual(['late', 0])
    expect(judged(aCheck(), at('13:00'), NOON)).toEqual(['late', 0])
  })

  test('began no later than it ended, even if the clock was set back', () => {
    expect(judged(hourly(), at('13:05'), at('19:00'))).toEqual(['ok', 0])
  })
})

describe('after an outage of the server', () => {
  test('what was expected during it is neither missing nor late', () => {
    const spared = { sparedUntil: at('17:10') }
    expect(judged(hourly(spared), at('17:09'))).toEqual(['ok', 0])
    expect(judged(byCron(spared), at('17:09'))).toEqual(['ok', 0])
    expect(judged(hourly(spared), at('17:09'), at('16:40'))).toEqual(['ok', 0])
  })

  test('what was expected since counts', () => {
    for (const check of [hourly({ sparedUntil: at('17:10') }), byCron({ sparedUntil: at('17:10') })]) {
      expect(judged(check, at('17:10'))).toEqual(['late', 0])
      expect(judged(check, at('19:05'))).toEqual(['ok', 1])
      expect(missingRuns(check, at('17:09'))).toBe(0)
      expect(missingRuns(check, at('17:30'))).toBe(1)
      expect(missingRuns(check, at('19:30'))).toBe(2)
    }
  })
})

describe('where the clock changes', () => {
  const riga = (time: string) => Temporal.Instant.from(`2026-${time}Z`)
  const nightly = (given: Partial<Check>) =>
    aCheck({ status: 'up', kind: 'cron', schedule: '30 3 * * *', tz: 'Europe/Riga', ...given })

  test('a skipped time is expected at the change', () => {
    const check = nightly({ lastPingAt: riga('03-28T01:30:05') })
    expect(judged(check, riga('03-29T01:00:05'))).toEqual(['ok', 0])
    expect(judged(check, riga('03-29T02:00'))).toEqual(['late', 0])
    expect(judged(check, riga('03-30T00:30:05'))).toEqual(['ok', 1])
  })

  test('a repeated time is expected once', () => {
    const check = nightly({ lastPingAt: riga('10-24T00:30:05') })
    expect(judged(check, riga('10-25T00:30:05'))).toEqual(['ok', 0])
    expect(judged(check, riga('10-25T01:30:05'))).toEqual(['late', 0])
  })
})

describe('at an instant', () => {
  test.each([
    ['13:09', 0],
    ['13:10', 1],
    ['13:59', 1],
    ['14:09', 1],
    ['14:10', 2],
    ['15:10', 3],
  ] as const)('%s after a ping at noon, %p runs are missing', (time, missing) => {
    for (const check of [hourly(), byCron()]) expect(missingRuns(check, at(time))).toBe(missing)
  })

  test('a run is missing only after its grace time, however long that is', () => {
    expect(missingRuns(hourly({ graceSeconds: 3 * HOUR }), at('15:59'))).toBe(0)
    expect(missingRuns(hourly({ graceSeconds: 3 * HOUR }), at('16:00'))).toBe(1)
    // In the second in which the second run is due, the first one counts as missing.
    const minutely = { timeoutSeconds: MINUTE, graceSeconds: MINUTE }
    expect(missingRuns(hourly(minutely), at('12:02'))).toBe(1)
  })

  test('after an outage of our own the run that was due in it is missing once its extra time is over', () => {
    const spared = hourly({ status: 'down', sparedUntil: at('13:25') })
    expect([missingRuns(spared, at('13:25')), missingRuns(spared, at('14:10'))]).toEqual([1, 1])
    expect(missingRuns(spared, at('15:10'))).toBe(2)
  })

  test('the slot that a pending start answers is not missing, but those before it are', () => {
    expect(missingRuns(hourly({ lastStartAt: at('13:05') }), at('20:00'))).toBe(0)
    expect(missingRuns(hourly({ lastStartAt: at('15:05'), status: 'down' }), at('20:00'))).toBe(2)
  })

  test('nothing is missing of a check that expects nothing', () => {
    for (const given of [{ status: 'paused' }, { status: 'new' }, { lastPingAt: null }] as const) {
      expect(missingRuns(hourly(given), at('20:00'))).toBe(0)
    }
    expect(missingRuns(byCron({ status: 'down', tz: 'Mars/Olympus' }), at('20:00'))).toBe(0)
  })

  test('no more than thirty are missing', () => {
    expect(missingRuns(hourly({ timeoutSeconds: MINUTE }), at('20:00'))).toBe(30)
  })

  test('a pause records what is missing, and ends it', () => {
    const paused = pause(hourly({ status: 'down' }), at('14:30'))?.check
    expect(paused && runMarks(paused.runs).map(({ kind }) => kind)).toEqual(['missing', 'missing', 'paused'])
    expect(paused && missingRuns(paused, at('20:00'))).toBe(0)
  })
})
