/**
 * The state of a check at a given time. Its job is due every hour from noon on, has ten minutes of grace, and usually takes five minutes.
 */
import { describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { recordPause, recordRun } from '../../../src/domain/check/run-history.ts'
import { nextShownChange, showCheck } from '../../../src/domain/check/shown-check.ts'
import { expectedIfReadable, statusAt } from '../../../src/domain/check/status.ts'
import { aCheck, at, NOON } from '../../support/builders.ts'

const FIVE_MINUTES = 300_000_000

function usually(duration: number, times = 5): Uint8Array {
  let runs: Uint8Array = new Uint8Array(0)
  for (let count = 0; count < times; count++) runs = recordRun(runs, { kind: 'ok', duration, missed: 0 })
  return runs
}

const hourly = (given: Partial<Check> = {}) =>
  aCheck({
    status: 'up',
    timeoutSeconds: 3_600,
    graceSeconds: 600,
    lastPingAt: NOON,
    lastDuration: FIVE_MINUTES,
    runs: usually(FIVE_MINUTES),
    ...given,
  })
const shown = (check: Check, time: string) => {
  const { state, isSlow } = showCheck(check, at(time))
  return isSlow ? `${state}, slow` : state
}

describe('a run that goes on', () => {
  const running = hourly({ lastStartAt: at('12:57') })

  test.each([
    ['12:58', 'started'],
    ['13:01', 'started'],
    ['13:03:15', 'started'],
    ['13:03:16', 'late, slow'],
    ['13:06:59', 'late, slow'],
    ['13:07', 'down'],
  ])('at %s, which was due at 13:00, is shown as %s', (time, state) => {
    expect(shown(running, time)).toBe(state)
  })

  test('leaves the status of the API as it is', () => {
    expect(statusAt(running, at('13:01'))).toBe('grace')
  })

  test('is slow also when nothing is due', () => {
    expect(shown(hourly({ lastStartAt: at('12:10') }), '12:17')).toBe('started, slow')
  })

  test('is as usual as long as fewer than five runs are known', () => {
    expect(shown(hourly({ lastStartAt: at('12:57'), runs: usually(FIVE_MINUTES, 4) }), '13:06')).toBe('started')
  })

  test('changes by time alone when it becomes slow, when it is due, and when it is given up', () => {
    const next = (time: string) =>
      nextShownChange(running, at(time), expectedIfReadable(running))
        ?.toString({ smallestUnit: 'second' })
        .slice(11, -1)
    expect([next('12:58'), next('13:00'), next('13:04')]).toEqual(['13:00:00', '13:03:15', '13:07:00'])
  })
})

test('what is due and not running is late', () => {
  expect([shown(hourly(), '12:59'), shown(hourly(), '13:05'), shown(hourly(), '13:10')]).toEqual(['up', 'late', 'down'])
})

test('a check is resumed until a ping comes', () => {
  const runs = recordPause(usually(FIVE_MINUTES))
  const resumed = hourly({ status: 'new', lastPingAt: null, runs })
  const started = { ...resumed, lastStartAt: at('12:30') }
  const fresh = hourly({ status: 'new', lastPingAt: null, runs: new Uint8Array(0) })
  expect([resumed, started, fresh].map((check) => showCheck(check, at('12:31')).isResumed)).toEqual([
    true,
    false,
    false,
  ])
})
