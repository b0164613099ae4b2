/** The newest runs of a check: when they were expected, their results, and the flips that they caused. */
import { describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import type { Flip } from '../../../src/domain/check/flip.ts'
import { watch } from '../../../src/domain/check/pause.ts'
import { recordPause } from '../../../src/domain/check/run-history.ts'
import type { PingKind } from '../../../src/domain/ping/signal.ts'
import { outcomeWords } from '../../../src/domain/run-list/outcome.ts'
import { RUNS_LISTED, runList } from '../../../src/domain/run-list/run-list.ts'
import { addSeconds, type Instant } from '../../../src/lib/time.ts'
import { aCheck, aFlip, at } from '../../support/builders.ts'

const MINUTE = 60_000_000
/** A check that expects a run at each full hour, with ten minutes of grace. */
const HOURLY: Partial<Check> = { kind: 'cron', schedule: '0 * * * *', tz: 'UTC', graceSeconds: 600, status: 'up' }

const ping = (
  n: number,
  kind: PingKind,
  time: string,
  minutes: number | null = null,
  exitStatus: number | null = null,
) => ({
  n,
  kind,
  receivedAt: at(time),
  occurredAt: null as Instant | null,
  duration: minutes === null ? null : minutes * MINUTE,
  exitStatus,
})
const clock = (milliseconds: number | null) =>
  milliseconds === null ? null : new Date(milliseconds).toISOString().slice(11, 16)

interface Told {
  readonly check?: Partial<Check>
  /** oldest first */
  readonly pings: readonly ReturnType<typeof ping>[]
  /** oldest first */
  readonly flips?: readonly Flip[]
  readonly now: string
  readonly since?: number
}

function listed({ check, pings, flips = [], now, since = 0 }: Told) {
  const last = pings.findLast(({ kind }) => kind === 'success' || kind === 'fail')
  const whole = aCheck({ ...HOURLY, lastPingAt: last?.receivedAt ?? null, ...check })
  return runList({ check: whole, pings: pings.toReversed(), flips: flips.toReversed(), since }, at(now))
}
const brief = (told: Told) =>
  listed(told).map((run) => [
    clock(run.ended ?? run.began),
    outcomeWords(run),
    clock(run.due),
    ...run.changes.map(({ to, at }) => `${to} ${clock(at)}`),
  ])

test('runs say when they were due, newest first', () => {
  const pings = [
    ping(1, 'success', '08:00'),
    ping(2, 'success', '09:05', 3),
    ping(3, 'success', '10:02'),
    ping(4, 'success', '11:25', 2),
    ping(5, 'success', '11:58'),
  ]
  const flips = [
    aFlip({ createdAt: at('11:10'), oldStatus: 'up', newStatus: 'down', reason: 'timeout' }),
    aFlip({ createdAt: at('11:25'), oldStatus: 'down', newStatus: 'up', reason: '' }),
  ]
  expect(brief({ pings, flips, now: '11:59' })).toEqual([
    ['11:58', 'On time', '12:00'],
    ['11:25', 'Late 23 min', '11:00', 'down 11:10', 'up 11:25'],
    ['10:02', 'On time', '10:00'],
    ['09:05', 'On time', '09:00'],
    ['08:00', 'On time', '08:00'],
  ])
})

test('a run that came late stands where it ran, and the recovery that it made with it', () => {
  const late = { ...ping(2, 'success', '11:25'), occurredAt: at('09:10') }
  const pings = [ping(1, 'success', '08:00'), late, ping(3, 'success', '11:58')]
  const flips = [
    aFlip({ createdAt: at('09:20'), oldStatus: 'up', newStatus: 'down', reason: 'timeout' }),
    aFlip({ createdAt: at('11:25'), oldStatus: 'down', newStatus: 'up', reason: '' }),
  ]
  const told = {
    check: { kind: 'simple', timeoutSeconds: 3_600, graceSeconds: 1_200 },
    pings,
    flips,
    now: '11:59',
  } as const
  expect(listed(told).map(({ n, ended, arrivedAt }) => [n, clock(ended), clock(arrivedAt)])).toContainEqual([
    2,
    '09:10',
    '11:25',
  ])
  expect(brief(told)).toContainEqual(['09:10', 'On time', '09:00', 'up 11:25'])
})

test('a run may begin between two milliseconds', () => {
  const pings = [ping(1, 'success', '08:00'), { ...ping(2, 'success', '08:58'), duration: 1_500 }]
  expect(brief({ pings, now: '08:59' })[0]).toEqual(['08:58', 'On time', '09:00'])
})

test('a period counts from the end of the run before', () => {
  const check: Partial<Check> = { kind: 'simple', timeoutSeconds: 3_600 }
  const pings = [ping(1, 'success', '08:00'), ping(2, 'success', '09:05'), ping(3, 'success', '10:02')]
  expect(brief({ check, pings, now: '10:30' })).toEqual([
    ['10:02', 'On time', '10:05'],
    ['09:05', 'On time', '09:00'],
    ['08:00', 'OK', null],
  ])
})

test('runs before the last change of the schedule are not judged', () => {
  const pings = [ping(1, 'success', '08:00'), ping(2, 'success', '09:40'), ping(3, 'success', '10:00')]
  const since = at('09:50').epochMilliseconds
  expect(brief({ pings, now: '10:05', since }).map(([, outcome]) => outcome)).toEqual(['On time', 'OK', 'OK'])
})

test('a run that goes on is the newest', () => {
  const pings = [ping(1, 'success', '08:00'), ping(2, 'start', '09:01')]
  const told = { check: { lastStartAt: at('09:01') }, pings, now: '09:04' }
  expect(listed(told)[0]).toMatchObject({ kind: 'running', n: 2, ended: null, isTimed: true })
  expect(brief(told)[0]).toEqual(['09:01', 'Running', '09:00'])
})

test('at most thirty runs are listed', () => {
  const pings = Array.from({ length: 50 }, (_, index) => ({
    ...ping(index + 1, 'success', '00:00'),
    receivedAt: addSeconds(at('00:00'), index * 3_600),
  }))
  const runs = runList(
    { check: aCheck({ ...HOURLY }), pings: pings.toReversed(), flips: [], since: 0 },
    addSeconds(at('00:00'), 50 * 3_600),
  )
  expect(runs.filter(({ n }) => n !== null).map(({ n }) => n)).toEqual(
    Array.from({ length: RUNS_LISTED }, (_, index) => 50 - index),
  )
})

describe('changes of state stand at the run that caused them', () => {
  test('a failure, and the success after it', () => {
    const pings = [ping(1, 'success', '08:00'), ping(2, 'fail', '09:01', null, 2), ping(3, 'success', '10:00')]
    const flips = [
      aFlip({ createdAt: at('09:01'), oldStatus: 'up', newStatus: 'down', reason: 'fail' }),
      aFlip({ createdAt: at('10:00'), oldStatus: 'down', newStatus: 'up', reason: '' }),
    ]
    expect(brief({ pings, flips, now: '10:05' })).toEqual([
      ['10:00', 'On time', '10:00', 'up 10:00'],
      ['09:01', 'Failed 2', '09:00', 'down 09:01'],
      ['08:00', 'On time', '08:00'],
    ])
  })

  test('a run that came after the check went down', () => {
    const pings = [ping(1, 'success', '08:00'), ping(2, 'success', '09:30')]
    const flips = [
      aFlip({ createdAt: at('09:10'), oldStatus: 'up', newStatus: 'down', reason: 'timeout' }),
      aFlip({ createdAt: at('09:30'), oldStatus: 'down', newStatus: 'up', reason: '' }),
    ]
    expect(brief({ pings, flips, now: '09:35' })[0]).toEqual([
      '09:30',
      'Late 30 min',
      '09:00',
      'down 09:10',
      'up 09:30',
    ])
  })

  test('the first of the runs that are missing', () => {
    const flips = [aFlip({ createdAt: at('09:10'), oldStatus: 'up', newStatus: 'down', reason: 'timeout' })]
    const told = { check: { status: 'down' }, pings: [ping(1, 'success', '08:00')], flips, now: '10:20' } as const
    expect(brief(told)).toEqual([
      ['10:00', 'Missing', '10:00'],
      ['09:00', 'Missing', '09:00', 'down 09:10'],
      ['08:00', 'On time', '08:00'],
    ])
  })

  test('none, where nothing newer is known than a run in time', () => {
    const flips = [aFlip({ createdAt: at('08:30'), oldStatus: 'up', newStatus: 'down', reason: 'timeout' })]
    expect(brief({ pings: [ping(1, 'success', '08:00')], flips, now: '08:40' })[0]).toEqual([
      '08:00',
      'On time',
      '08:00',
    ])
  })
})

test('a check that is watched again after a pause misses the runs that are due since', () => {
  const resumed = aCheck({
    ...HOURLY,
    status: 'new',
    lastPingAt: null,
    runs: recordPause(new Uint8Array(0)),
  })
  const watched = watch(resumed, at('10:30'))
  if (watched === null) throw new Error('it was resumed')
  const flips = [
    aFlip({ createdAt: at('08:20'), oldStatus: 'up', newStatus: 'paused', reason: '' }),
    aFlip({ createdAt: at('10:20'), oldStatus: 'paused', newStatus: 'new', reason: '' }),
    watched.flip,
  ]
  const told = { check: watched.check, pings: [ping(1, 'success', '08:00')], flips }
  expect(brief({ ...told, now: '11:05' })).toEqual([['08:00', 'On time', '08:00']])
  expect(brief({ ...told, now: '12:15' })).toEqual([
    ['12:00', 'Missing', '12:00'],
    ['11:00', 'Missing', '11:00'],
    ['08:00', 'On time', '08:00'],
  ])
})
