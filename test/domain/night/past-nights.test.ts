/** Past nights, from flips and from the counts of days. It is the morning of 17 November 2026 in UTC. */
import { describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import type { Flip } from '../../../src/domain/check/flip.ts'
import { downTimes, lastNights, troubleOf } from '../../../src/domain/night/past-nights.ts'
import { nightOf } from '../../../src/domain/night/window.ts'
import type { DayRuns } from '../../../src/domain/run/day-runs.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { aCheck } from '../../support/builders.ts'

const NOW = Date.parse('2026-11-17T09:00Z')
const NIGHTLY: Partial<Check> = { kind: 'cron', schedule: '0 2 * * *', tz: 'UTC', graceSeconds: 3_600 }
const night = (evening: string) => nightOf(Temporal.PlainDate.from(evening), 'UTC')

/** Parses flips, oldest first: `down fail 2026-11-16T02:10`. */
function flips(...written: readonly string[]): readonly Flip[] {
  return written
    .map((one, index) => {
      const [newStatus = '', reason = '', at = ''] = one.split(' ')
      const flip = { checkId: '', n: index + 1, oldStatus: 'up', newStatus, reason: reason === '-' ? '' : reason }
      return { ...flip, createdAt: Temporal.Instant.from(`${at}:00Z`) } as Flip
    })
    .reverse()
}

function day(text: string, failed: number): DayRuns {
  return {
    day: text,
    runs: 1,
    failed,
    missed: 0,
    firstAt: null,
    lastAt: null,
    longest: null,
    minutes: new Uint8Array(),
  }
}

function trouble(settings: Partial<Check>, evening: string, told: readonly string[], days: readonly DayRuns[] = []) {
  return troubleOf(aCheck(settings), downTimes(flips(...told)), days, night(evening), NOW)
}

test('the last fourteen nights end with the present one', () => {
  const nights = lastNights(NOW, 'Europe/Riga')
  expect([nights.length, String(nights[0]?.evening), String(nights[13]?.evening)]).toEqual([
    14,
    '2026-11-03',
    '2026-11-16',
  ])
})

describe('of a check with a schedule', () => {
  test('a run that did not come before the next one was expected is missing', () => {
    const told = ['down timeout 2026-11-15T03:00', 'up - 2026-11-16T02:05']
    expect(trouble(NIGHTLY, '2026-11-14', told)).toBe('missing')
    expect(trouble(NIGHTLY, '2026-11-15', told)).toBeNull()
    expect(trouble(NIGHTLY, '2026-11-13', told)).toBeNull()
  })

  test('a run that came late, or failed and was repeated, is no trouble', () => {
    expect(trouble(NIGHTLY, '2026-11-14', ['down timeout 2026-11-15T03:00', 'up - 2026-11-15T03:30'])).toBeNull()
    expect(trouble(NIGHTLY, '2026-11-14', ['down fail 2026-11-15T02:10', 'up - 2026-11-15T02:30'])).toBeNull()
  })

  test('a failure counts in the night in which it came', () => {
    expect(trouble(NIGHTLY, '2026-11-14', ['down fail 2026-11-15T02:10', 'up - 2026-11-16T02:10'])).toBe('failed')
    expect(trouble(NIGHTLY, '2026-11-16', ['down fail 2026-11-17T02:10'])).toBe('failed')
  })

  test('a failure by day is no trouble of the night before', () => {
    expect(trouble({ ...NIGHTLY, schedule: '0 12 * * *' }, '2026-11-14', ['down fail 2026-11-15T12:10'])).toBeNull()
  })

  test('while it is down already, the counts of the day tell what became of the run', () => {
    const told = ['down timeout 2026-11-14T03:00']
    expect(trouble(NIGHTLY, '2026-11-14', told, [day('2026-11-15', 1)])).toBe('failed')
    expect(trouble(NIGHTLY, '2026-11-14', told, [day('2026-11-15', 0)])).toBe('missing')
    expect(trouble(NIGHTLY, '2026-11-15', told)).toBe('missing')
    expect(trouble(NIGHTLY, '2026-11-15', ['down fail 2026-11-14T02:10'])).toBe('failed')
  })

  test('a pause by day makes no night good', () => {
    expect(trouble(NIGHTLY, '2026-11-14', ['down timeout 2026-11-15T03:00', 'paused - 2026-11-15T09:00'])).toBe(
      'missing',
    )
  })

  test('nothing is said of one that runs more often than hourly', () => {
    const told = ['down timeout 2026-11-15T03:00']
    expect(trouble({ ...NIGHTLY, schedule: '*/5 * * * *' }, '2026-11-14', told)).toBeNull()
    expect(trouble({ ...NIGHTLY, kind: 'simple', timeoutSeconds: 600 }, '2026-11-14', told)).toBeNull()
  })
})

test('an interval is expected a period after the run before, also while it is down', () => {
  const daily: Partial<Check> = { ...NIGHTLY, kind: 'simple', timeoutSeconds: 86_400 }
  const told = ['down timeout 2026-11-14T03:00', 'up - 2026-11-16T12:00']
  expect(trouble(daily, '2026-11-13', told)).toBe('missing')
  expect(trouble(daily, '2026-11-14', told)).toBe('missing')
  expect(trouble(daily, '2026-11-15', told)).toBeNull()
  expect(trouble(daily, '2026-11-12', told)).toBeNull()
})
