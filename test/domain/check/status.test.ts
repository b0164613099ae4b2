/** Examples of how time changes the status. `ping.model.test.ts` tests random histories. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Check, StoredStatus } from '../../../src/domain/check/check.ts'
import {
  alertAfter,
  deadline,
  expectedAt,
  flipIfOverdue,
  isRunOverdue,
  isStarted,
  nextPingAt,
  nextStatusChange,
  statusAt,
} from '../../../src/domain/check/status.ts'
import { addSeconds, Temporal } from '../../../src/lib/time.ts'
import { aCheck, at, CHECK_ID, NOON } from '../../support/builders.ts'

/** A check that was pinged at noon and expects a ping every hour, with ten minutes of grace. */
const up = (given: Partial<Check> = {}) =>
  aCheck({ status: 'up', lastPingAt: NOON, timeoutSeconds: 3600, graceSeconds: 600, ...given })
const running = { lastStartAt: at('12:05') }

describe('a check that is up', () => {
  test.each([
    ['12:00', 'up'],
    ['12:59:59.999999', 'up'],
    ['13:00', 'grace'],
    ['13:09:59.999999', 'grace'],
    ['13:10', 'down'],
  ] as const)('at %s is shown %s', (time, status) => {
    expect(statusAt(up(), at(time))).toBe(status)
  })

  test('follows a cron schedule in its zone', () => {
    const midnight = up({ kind: 'cron', schedule: '0 0 * * *', tz: 'Europe/Riga', graceSeconds: 3600 })
    const shown = ['21:59:59', '22:00', '22:59:59', '23:00'].map((time) => statusAt(midnight, at(time)))
    expect(shown).toEqual(['up', 'grace', 'grace', 'down'])
  })

  test('follows an OnCalendar schedule, and stays up when that has ended', () => {
    expect(expectedAt(up({ kind: 'oncalendar', schedule: '*-*-* 18:30' }))).toEqual(at('18:30'))
    const ended = up({ kind: 'oncalendar', schedule: '2020-01-01' })
    expect([expectedAt(ended), deadline(ended), nextPingAt(ended)]).toEqual([null, null, null])
    expect(statusAt(ended, Temporal.Instant.from('2099-01-01T00:00Z'))).toBe('up')
    expect(flipIfOverdue(ended, Temporal.Instant.from('2099-01-01T00:00Z'))).toBeNull()
  })

  test('with an ended schedule still goes down when a run does not end', () => {
    expect(deadline(up({ kind: 'oncalendar', schedule: '2020-01-01', ...running }))).toEqual(at('12:15'))
  })

  test('expects the schedule strictly after the last ping, microseconds aside', () => {
    const quarterly = { kind: 'cron', schedule: '*/15 * * * *' } as const
    expect(expectedAt(up(quarterly))).toEqual(at('12:15'))
    expect(expectedAt(up({ ...quarterly, lastPingAt: at('12:15:00.000001') }))).toEqual(at('12:30'))
    expect(expectedAt(up({ ...quarterly, lastPingAt: at('12:14:59.999999') }))).toEqual(at('12:15'))
  })

  test.each(['new', 'paused', 'down'] as const)('only: a check that is %s expects nothing', (status) => {
    const check = up({ status })
    expect([expectedAt(check), deadline(check), nextPingAt(check), alertAfter(check, NOON)]).toEqual(
      Array(4).fill(null),
    )
    expect(statusAt(check, at('23:00'))).toBe(status)
    expect(flipIfOverdue(check, at('23:00'))).toBeNull()
  })
})

describe('a start', () => {
  test('makes the deadline earlier when it comes early', () => {
    expect(deadline(up(running))).toEqual(at('12:15'))
  })

  test('never extends an approaching deadline', () => {
    expect(deadline(up({ lastStartAt: at('13:04') }))).toEqual(at('13:10'))
  })

  test('that waits too long shows the check as down, whatever is stored', () => {
    for (const status of ['new', 'up', 'down', 'paused'] as const) {
      const check = up({ status, ...running })
      expect(statusAt(check, at('12:14:59.999999'))).toBe(status)
      expect(statusAt(check, at('12:15'))).toBe('down')
    }
  })

  test.each(['new', 'paused'] as const)('gives a check that is %s a deadline', (status) => {
    expect(deadline(up({ status, ...running }))).toEqual(at('12:15'))
  })

  test('gives a check that is down no deadline, because it has timed out already', () => {
    const check = up({ status: 'down', ...running })
    expect([deadline(check), nextPingAt(check), flipIfOverdue(check, at('23:00'))]).toEqual([null, null, null])
  })

  test('is pending until something ends it, even after its grace time', () => {
    expect([isStarted(up()), isStarted(up(running))]).toEqual([false, true])
    expect(isRunOverdue(up(), at('23:00'))).toBe(false)
    expect(isRunOverdue(up(running), at('12:14:59.999999'))).toBe(false)
    expect(isRunOverdue(up(running), at('12:15'))).toBe(true)
    const flipped = flipIfOverdue(up(running), at('12:15'))
    expect(flipped && isStarted(flipped.check)).toBe(true)
  })
})

describe('the next ping', () => {
  test('is the expected time', () => {
    expect(nextPingAt(up({ lastPingAt: at('12:00:00.999999') }))).toEqual(at('13:00:00.999999'))
  })

  test('is the start, in the past, while a run is under way, also for a new check', () => {
    expect(nextPingAt(up({ lastStartAt: at('12:05:00.5') }))).toEqual(at('12:05:00.5'))
    expect(nextPingAt(aCheck(running))).toEqual(at('12:05'))
    expect(nextPingAt(up({ lastStartAt: at('13:04') }))).toEqual(at('13:00'))
  })
})

describe('the loop', () => {
  test('marks a check as down at its deadline, not a microsecond before', () => {
    expect(flipIfOverdue(up(), at('13:09:59.999999'))).toBeNull()
    expect(flipIfOverdue(up({ nEvents: 6 }), at('13:10'))?.flip).toEqual({
      checkId: CHECK_ID,
      n: 7,
      createdAt: at('13:10'),
      oldStatus: 'up',
      newStatus: 'down',
      reason: 'timeout',
    })
  })

  test('dates the flip to the deadline with its microseconds, however late it runs', () => {
    const late = up({ lastPingAt: at('12:00:00.123456') })
    expect(flipIfOverdue(late, at('23:59'))?.flip.createdAt).toEqual(at('13:10:00.123456'))
  })

  test('changes nothing but the status and the number of flips', () => {
    const check = up({ ...running, lastStartRid: 'r', lastDuration: 7, nPings: 3, nEvents: 2 })
    expect(flipIfOverdue(check, at('23:00'))?.check).toEqual({ ...check, status: 'down', nEvents: 3 })
  })
})

describe('the instant at which the loop finds a check', () => {
  test('is the deadline when none is stored or none may be kept', () => {
    expect(alertAfter(up(), null)).toEqual(at('13:10'))
  })

  test('stays when the deadline becomes later', () => {
    expect(alertAfter(up(), at('12:30'))).toEqual(at('12:30'))
  })

  test('becomes earlier when the deadline does', () => {
    expect(alertAfter(up(), at('14:00'))).toEqual(at('13:10'))
  })

  test('is removed with the deadline', () => {
    expect(alertAfter(up({ status: 'down' }), at('12:30'))).toBeNull()
  })
})

describe('the next change of the shown status by time alone', () => {
  const changes = (given: Partial<Check>, now: string) => {
    const check = aCheck(given)
    return nextStatusChange(check, at(now), expectedAt(check))
  }
  const upSinceNoon = up({ graceSeconds: 600 })

  test.each([
    ['of a check that is up is the expected time', upSinceNoon, '12:59:59.999999', at('13:00')],
    ['of a late check is the end of its grace time', upSinceNoon, '13:00', at('13:10')],
    ['of a check that is down is never', upSinceNoon, '13:10', null],
    ['of a late check that is spared is later', { ...upSinceNoon, sparedUntil: at('13:30') }, '13:05', at('13:30')],
    ['during a run is the end of the time that it may take', { lastStartAt: at('12:00') }, '12:30', at('13:00')],
    ['of a new check is never', {}, '12:00', null],
    ['of a paused check is never', { ...upSinceNoon, status: 'paused' }, '12:30', null],
  ] as const)('%s', (_, given, now, expected) => {
    expect(changes({ graceSeconds: 3600, ...given }, now)).toEqual(expected)
  })

  test('is never later than the instant of the change', () => {
    const seconds = fc.integer({ min: 0, max: 7200 })
    const instant = seconds.map((since) => addSeconds(at('12:00'), since))
    const checks = fc.record({
      status: fc.constantFrom<StoredStatus>('new', 'up', 'down', 'paused'),
      timeoutSeconds: fc.constant(3600),
      graceSeconds: fc.constantFrom(60, 600, 3600),
      lastPingAt: fc.option(instant),
      lastStartAt: fc.option(instant),
      sparedUntil: fc.option(instant),
    })
    fc.assert(
      fc.property(checks, seconds, (given, since) => {
        const check = aCheck(given)
        const now = addSeconds(at('12:00'), since)
        const next = nextStatusChange(check, now, expectedAt(check))
        const last = next ? next.subtract({ microseconds: 1 }) : addSeconds(now, 1_000_000)
        expect(statusAt(check, last)).toBe(statusAt(check, now))
      }),
    )
  })
})
