/** Resuming a check after a pause, without a ping. */
import { describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { pause, resume, watch } from '../../../src/domain/check/pause.ts'
import { missingRuns } from '../../../src/domain/check/punctuality.ts'
import { expectedAt, flipIfOverdue, statusAt } from '../../../src/domain/check/status.ts'
import { receive } from '../../../src/domain/ping/ping.ts'
import { stripOf } from '../../../src/domain/run/strip.ts'
import { aCheck, aSignal, at } from '../../support/builders.ts'

const UP = { status: 'up', lastPingAt: at('08:00'), nPings: 1, graceSeconds: 600 } as const
const HOURLY = aCheck({ ...UP, kind: 'cron', schedule: '0 * * * *', tz: 'UTC' })
const EVERY_HOUR = aCheck({ ...UP, kind: 'simple', timeoutSeconds: 3_600 })

function watched(check: Check): Check {
  const paused = pause(check, at('08:20'))?.check ?? check
  const resumed = resume(paused, at('09:20'))?.check ?? paused
  const again = watch(resumed, at('09:30'))
  if (again === null) throw new Error('the check was resumed')
  expect(again.flip).toMatchObject({ oldStatus: 'new', newStatus: 'up', reason: '', createdAt: at('09:30') })
  return again.check
}

describe('a check that is watched again', () => {
  test('expects the next slot of its schedule, or one after its interval', () => {
    expect(expectedAt(watched(HOURLY))).toEqual(at('10:00'))
    expect(expectedAt(watched(EVERY_HOUR))).toEqual(at('10:30'))
    expect(watched(HOURLY).lastPingAt).toBeNull()
  })

  test('goes down when nothing comes, and counts what is missing', () => {
    const check = watched(HOURLY)
    expect(statusAt(check, at('10:05'))).toBe('grace')
    expect(flipIfOverdue(check, at('11:30'))?.flip).toMatchObject({ createdAt: at('10:10'), reason: 'timeout' })
    const down = flipIfOverdue(check, at('11:30'))?.check
    expect(down && missingRuns({ ...check, ...down }, at('11:30'))).toBe(2)
    expect(stripOf({ ...check, ...down }, at('11:30')).map(({ kind }) => kind)).toEqual([
      'paused',
      'missing',
      'missing',
    ])
  })

  test('is watched by its pings from the next one on', () => {
    const { check, run } = receive(watched(HOURLY), aSignal(), at('10:05'))
    expect(run).toMatchObject({ kind: 'ok', missed: 0 })
    expect(check).toMatchObject({ status: 'up', lastPingAt: at('10:05'), sparedUntil: null })
    expect(receive(watched(HOURLY), aSignal(), at('11:30')).run).toMatchObject({ kind: 'late', missed: 1 })
  })
})

test('only a check that was resumed, and has no ping since, is watched again', () => {
  const paused = pause(HOURLY, at('08:20'))?.check
  for (const check of [HOURLY, aCheck(), paused]) expect(check && watch(check, at('09:30'))).toBeNull()
})
