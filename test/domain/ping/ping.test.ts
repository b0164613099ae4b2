/** Effects of one ping on a check, by example; every history is in `ping.model.test.ts`. */
import { describe, expect, test } from 'bun:test'
import type { Check, StoredStatus } from '../../../src/domain/check/check.ts'
import { sendsAlerts } from '../../../src/domain/check/flip.ts'
import { receive } from '../../../src/domain/ping/ping.ts'
import type { Action } from '../../../src/domain/ping/signal.ts'
import { aCheck, aSignal, at, bytes, CHECK_ID, NOON, RID_A, RID_B } from '../../support/builders.ts'

type Outcome = readonly [to: StoredStatus, flip: 'none' | 'silent' | 'news']

describe('from each status, each signal', () => {
  const table: Record<string, { given: Partial<Check>; outcomes: Record<Action, Outcome> }> = {
    new: {
      given: { status: 'new' },
      outcomes: { success: ['up', 'silent'], fail: ['down', 'news'], start: ['new', 'none'], log: ['new', 'none'] },
    },
    up: {
      given: { status: 'up', lastPingAt: at('11:00') },
      outcomes: { success: ['up', 'none'], fail: ['down', 'news'], start: ['up', 'none'], log: ['up', 'none'] },
    },
    down: {
      given: { status: 'down', lastPingAt: at('11:00') },
      outcomes: { success: ['up', 'news'], fail: ['down', 'none'], start: ['down', 'none'], log: ['down', 'none'] },
    },
    paused: {
      given: { status: 'paused' },
      outcomes: {
        success: ['up', 'silent'],
        fail: ['down', 'news'],
        start: ['new', 'silent'],
        log: ['paused', 'none'],
      },
    },
    'paused with manual resume': {
      given: { status: 'paused', manualResume: true },
      outcomes: {
        success: ['paused', 'none'],
        fail: ['paused', 'none'],
        start: ['paused', 'none'],
        log: ['paused', 'none'],
      },
    },
  }
  const rows = Object.entries(table).flatMap(([from, { given, outcomes }]) =>
    Object.entries(outcomes).map(([action, outcome]) => ({ from, action: action as Action, given, outcome })),
  )

  test.each(rows)('$from, $action', ({ action, given, outcome: [status, news] }) => {
    const { check, flip } = receive(aCheck(given), aSignal({ action }), NOON)
    expect(check.status).toBe(status)
    expect(flip === null ? 'none' : sendsAlerts(flip) ? 'news' : 'silent').toBe(news)
    expect(check.lastStartAt !== null).toBe(action === 'start' && !given.manualResume)
  })
})

describe('a flip by a ping', () => {
  test('has the time of the ping, and no reason for a success', () => {
    const { check, flip } = receive(aCheck({ status: 'down', nEvents: 4 }), aSignal(), NOON)
    expect(check.nEvents).toBe(5)
    expect(flip).toEqual({ checkId: CHECK_ID, n: 5, createdAt: NOON, oldStatus: 'down', newStatus: 'up', reason: '' })
  })

  test('has the reason "fail" for a failure, also for one found by keyword', () => {
    expect(receive(aCheck(), aSignal({ action: 'fail' }), NOON).flip?.reason).toBe('fail')
    const filtering = aCheck({ filterHttpBody: true, failureKw: 'error' })
    expect(receive(filtering, aSignal({ body: bytes('an error') }), NOON).flip?.reason).toBe('fail')
  })

  test('has no reason when a start ends a pause', () => {
    const { flip } = receive(aCheck({ status: 'paused' }), aSignal({ action: 'start' }), NOON)
    expect(flip).toMatchObject({ oldStatus: 'paused', newStatus: 'new', reason: '' })
  })
})

describe('the log entry', () => {
  test('is the signal with its number, its time and the kind it turned out to be', () => {
    const signal = aSignal({ action: 'fail', exitStatus: 3, rid: RID_A, method: 'POST', body: bytes('no space left') })
    const { ping } = receive(aCheck({ nPings: 41 }), signal, NOON)
    const { action: _, mail: __, searched: ___, ...entry } = signal
    expect(ping).toEqual({ ...entry, checkId: CHECK_ID, n: 42, receivedAt: NOON, kind: 'fail', ignoredBy: null })
  })

  test('keeps the exit status and the body of a ping that is ignored', () => {
    const signal = aSignal({ action: 'fail', exitStatus: 1, body: bytes('text') })
    const { ping } = receive(aCheck({ methods: 'POST' }), signal, NOON)
    expect(ping).toMatchObject({ kind: 'ign', exitStatus: 1, body: bytes('text') })
  })
})

describe('the last ping of a check', () => {
  const earlier = aCheck({ status: 'up', lastPingAt: at('11:00') })
  test.each(['success', 'fail'] as const)('is moved by a %s', (action) => {
    expect(receive(earlier, aSignal({ action }), NOON).check.lastPingAt).toBe(NOON)
  })

  test.each(['start', 'log'] as const)('is not moved by a %s', (action) => {
    expect(receive(earlier, aSignal({ action }), NOON).check.lastPingAt).toEqual(at('11:00'))
  })

  test('is not moved by a ping that is ignored', () => {
    expect(receive({ ...earlier, methods: 'POST' }, aSignal(), NOON).check.lastPingAt).toEqual(at('11:00'))
  })
})

describe('the last success', () => {
  const earlier = aCheck({ status: 'up', lastPingAt: at('11:00'), lastSuccessAt: at('11:00') })
  const after = (action: Action, given: Partial<Check> = {}) =>
    String(receive({ ...earlier, ...given }, aSignal({ action }), NOON).check.lastSuccessAt)

  test('is the moment of a success', () => {
    expect(after('success')).toBe(String(NOON))
    expect(after('success', { lastSuccessAt: null })).toBe(String(NOON))
  })

  test.each(['fail', 'start', 'log'] as const)('is not moved by a %s', (action) => {
    expect(after(action)).toBe(String(at('11:00')))
    expect(after(action, { lastSuccessAt: null })).toBe('null')
  })

  test('is not moved by a ping that is ignored', () => {
    expect(after('success', { methods: 'POST' })).toBe(String(at('11:00')))
  })
})

describe('a run', () => {
  const running = (rid: string | null, given: Partial<Check> = {}) =>
    aCheck({ status: 'up', lastPingAt: at('11:00'), lastStartAt: at('11:58:30'), lastStartRid: rid, ...given })
  const cleared = { lastStartAt: null, lastStartRid: null }
  const pending = (rid: string | null) => ({ lastStartAt: at('11:58:30'), lastStartRid: rid })

  test.each([
    ['a success without id ends a run without id and times it', null, 'success', null, cleared, 90_000_000],
    ['a failure without id ends a run without id and times it', null, 'fail', null, cleared, 90_000_000],
    ['a success ends the run it names and times it', RID_A, 'success', RID_A, cleared, 90_000_000],
    ['a failure ends the run it names and times it', RID_A, 'fail', RID_A, cleared, 90_000_000],
    ['a failure that names another run ends the pending one untimed', RID_A, 'fail', RID_B, cleared, null],
    ['a failure without id ends a run with one untimed', RID_A, 'fail', null, cleared, null],
    ['a failure with an id ends a run without one untimed', null, 'fail', RID_B, cleared, null],
    ['a success without id ends a run with one untimed', RID_A, 'success', null, cleared, null],
    ['a success that names another run leaves the pending one pending', RID_A, 'success', RID_B, pending(RID_A), null],
    ['a success with an id leaves a run without one pending', null, 'success', RID_B, pending(null), null],
  ] as const)('%s', (_, startRid, action, rid, after, lastDuration) => {
    const { check, run } = receive(running(startRid, { lastDuration: 5 }), aSignal({ action, rid }), NOON)
    expect(run?.duration).toBe(lastDuration)
    expect(check).toMatchObject({ ...after, lastDuration, lastPingAt: NOON, status: action === 'fail' ? 'down' : 'up' })
  })

  test('is replaced by a later start, so that only the latest of overlapping runs is timed', () => {
    const first = receive(running(RID_A), aSignal({ action: 'start', rid: RID_B }), at('11:59')).check
    expect(first).toMatchObject({ lastStartAt: at('11:59'), lastStartRid: RID_B })
    const second = receive(first, aSignal({ rid: RID_A }), NOON).check
    expect(second).toMatchObject({ lastDuration: null, lastStartRid: RID_B })
    expect(receive(second, aSignal({ rid: RID_B }), NOON).check.lastDuration).toBe(60_000_000)
  })

  test('has a duration of 0 when it ended in the microsecond it began, or when the clock was set back', () => {
    const check = aCheck({ lastStartAt: NOON })
    expect(receive(check, aSignal(), NOON).check.lastDuration).toBe(0)
    expect(receive(check, aSignal(), at('11:59')).check.lastDuration).toBe(0)
    expect(receive(check, aSignal(), at('12:00:00.000001')).check.lastDuration).toBe(1)
  })

  test('has no duration when a success comes without a start', () => {
    expect(receive(aCheck({ lastDuration: 5 }), aSignal(), NOON).check.lastDuration).toBeNull()
  })

  test.each(['start', 'log'] as const)('keeps the duration of the one before through a %s', (action) => {
    const { check, run } = receive(running(null, { lastDuration: 5 }), aSignal({ action }), NOON)
    expect([check.lastDuration, run]).toEqual([5, null])
  })

  test('is not touched by a ping that is ignored', () => {
    const check = running(RID_A, { methods: 'POST' })
    expect(receive(check, aSignal({ rid: RID_A }), NOON).check).toEqual({ ...check, nPings: 1 })
  })

  test('that has timed out is still ended and timed by its success', () => {
    const { check, flip } = receive(running(RID_A, { status: 'down' }), aSignal({ rid: RID_A }), at('20:00'))
    expect(check).toMatchObject({ ...cleared, lastDuration: 28_890_000_000 })
    expect(flip).toMatchObject({ oldStatus: 'down', newStatus: 'up' })
  })
})
