/** Late pings: judged by their arrival, paired by their time of occurrence. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Check } from '../../../src/domain/check/check.ts'
import { runMarks } from '../../../src/domain/check/run-history.ts'
import { statusAt } from '../../../src/domain/check/status.ts'
import { certainRuns, pairRuns } from '../../../src/domain/log/runs.ts'
import { type Ping, receive } from '../../../src/domain/ping/ping.ts'
import type { Action } from '../../../src/domain/ping/signal.ts'
import { addSeconds, type Instant } from '../../../src/lib/time.ts'
import { aCheck, aSignal, at, NOON, RID_A, RID_B } from '../../support/builders.ts'

const MINUTE = 60_000_000

interface Sent {
  readonly action: Action
  readonly rid?: string | null
  readonly came: Instant
  /** time of occurrence; missing: the time of arrival */
  readonly ran?: Instant
}

/** Returns the check after the pings, and the log, oldest first. */
function after(given: Partial<Check>, ...sent: readonly Sent[]) {
  let check: Check = aCheck(given)
  const log: Ping[] = []
  for (const { action, rid = null, came, ran = null } of sent) {
    const received = receive(check, aSignal({ action, rid, occurredAt: ran }), came)
    check = { ...check, ...received.check }
    log.push(received.ping)
  }
  return { check, log }
}

const NIGHTLY = { kind: 'cron', schedule: '0 3 * * *', graceSeconds: 3_600, status: 'up', tz: 'UTC' } as const

describe('a run that comes late as a whole', () => {
  const given = { ...NIGHTLY, lastPingAt: at('03:05').subtract({ hours: 24 }) }
  const { check, log } = after(
    given,
    { action: 'start', rid: RID_A, came: at('05:40'), ran: at('03:00') },
    { action: 'success', rid: RID_A, came: at('05:40'), ran: at('03:12') },
  )

  test('has its true duration, and was on time', () => {
    expect(check.lastDuration).toBe(12 * MINUTE)
    expect([...pairRuns(log)]).toEqual([[2, 12 * MINUTE]])
    expect(runMarks(check.runs).map(({ kind }) => kind)).toEqual(['ok'])
  })

  test('is judged by when it comes', () => {
    expect([check.lastPingAt, check.lastSuccessAt, check.lastStartAt]).toEqual([at('05:40'), at('05:40'), null])
    expect(check.lastStartOccurredAt).toBeNull()
    expect(log.map(({ receivedAt }) => receivedAt)).toEqual([at('05:40'), at('05:40')])
  })
})

test('a late start does not take a check down whose grace time it would have exceeded', () => {
  const { check } = after(
    { ...NIGHTLY, lastPingAt: at('03:05') },
    { action: 'start', came: at('11:00'), ran: at('05:00') },
  )
  expect([check.lastStartAt, check.lastStartOccurredAt]).toEqual([at('11:00'), at('05:00')])
  expect([statusAt(check, at('11:59')), statusAt(check, at('12:00'))]).toEqual(['up', 'down'])
})

test('a run of which only the start was late has its true duration', () => {
  const { check } = after(
    {},
    { action: 'start', came: at('11:00'), ran: at('10:00') },
    { action: 'success', came: at('11:01') },
  )
  expect(check.lastDuration).toBe(61 * MINUTE)
})

test('a run of which only the end was late has its true duration', () => {
  const { check } = after(
    {},
    { action: 'start', came: at('10:00') },
    { action: 'success', came: at('11:30'), ran: at('10:07') },
  )
  expect(check.lastDuration).toBe(7 * MINUTE)
})

test('an end before its start, by the clock of the sender, took no time', () => {
  const { check } = after(
    {},
    { action: 'start', came: at('10:00') },
    { action: 'success', came: at('10:30'), ran: at('10:00') },
  )
  expect(check.lastDuration).toBe(0)
})

test('a late end from a clock that is behind ends the run that it names, and nobody knows how long that took', () => {
  const start: Sent = { action: 'start', rid: RID_A, came: at('10:00') }
  const { check, log } = after({}, start, { action: 'success', rid: RID_A, came: at('10:30'), ran: at('09:59') })
  expect([check.lastStartAt, check.lastStartRid, check.lastDuration]).toEqual([null, null, null])
  expect(pairRuns(log).size).toBe(0)
  expect(statusAt(check, at('10:30'))).toBe('up')
})

describe('while a newer run goes on', () => {
  const going: Sent = { action: 'start', rid: RID_B, came: at('11:00') }

  test('a late run leaves it alone, and both have their durations', () => {
    const { check, log } = after(
      {},
      going,
      { action: 'start', rid: RID_A, came: at('11:01'), ran: at('10:00') },
      { action: 'success', rid: RID_A, came: at('11:01'), ran: at('10:05') },
      { action: 'success', rid: RID_B, came: at('11:09') },
    )
    expect(check.lastDuration).toBe(9 * MINUTE)
    expect([...pairRuns(log)]).toEqual([
      [3, 5 * MINUTE],
      [4, 9 * MINUTE],
    ])
  })

  test('a late failure takes the check down, and the run still goes on', () => {
    const late = { action: 'fail', came: at('11:01'), ran: at('10:05') } as const
    const { check } = after({ status: 'up', lastPingAt: at('09:00') }, going, late)
    expect([check.status, check.lastStartAt, check.lastStartRid]).toEqual(['down', at('11:00'), RID_B])
  })
})

test('any history ends in the status, deadline and times that it has without true times', () => {
  const action = fc.constantFrom<Action>('success', 'fail', 'log')
  const entries = fc.array(fc.record({ action, late: fc.integer({ min: 0, max: 3_600 }) }), { maxLength: 12 })
  fc.assert(
    fc.property(entries, (history) => {
      const sent = history.map(({ action, late }, index): Sent & { ran: Instant } => {
        const came = addSeconds(NOON, index * 60)
        return { action, came, ran: addSeconds(came, -late - 1) }
      })
      const judged = ({ check }: ReturnType<typeof after>) => {
        const { status, nPings, nEvents, lastPingAt, lastSuccessAt } = check
        return { status, nPings, nEvents, lastPingAt, lastSuccessAt }
      }
      expect(judged(after({}, ...sent))).toEqual(judged(after({}, ...sent.map(({ ran: _, ...live }) => live))))
    }),
  )
})

describe('late deliveries in any order give the runs of live ones', () => {
  /** Runs in a row, each with an id: seconds until the next, and its duration. */
  const runs = fc.array(
    fc.record({
      pause: fc.integer({ min: 1, max: 600 }),
      takes: fc.integer({ min: 1, max: 600 }),
      action: fc.constantFrom<Action>('success', 'fail'),
    }),
    { minLength: 1, maxLength: 8 },
  )

  interface Event {
    readonly action: Action
    readonly rid: string | null
    readonly ran: Instant
  }

  function eventsOf(history: readonly { pause: number; takes: number; action: Action }[], hasIds: boolean): Event[] {
    let second = 0
    return history.flatMap(({ pause, takes, action }, index) => {
      const [began, ended] = [second + pause, second + pause + takes]
      second = ended
      const rid = hasIds ? `00000000-0000-4000-8000-00000000000${index}` : null
      return [
        { action: 'start', rid, ran: addSeconds(NOON, began) },
        { action, rid, ran: addSeconds(NOON, ended) },
      ]
    })
  }

  const timesOf = (log: readonly Ping[], durations: ReadonlyMap<number, number>) =>
    new Map(
      log
        .flatMap(({ n, receivedAt, occurredAt }) => {
          const duration = durations.get(n)
          return duration === undefined ? [] : [[`${occurredAt ?? receivedAt}`, duration] as const]
        })
        .sort(),
    )

  test.each([
    ['with run ids', true],
    ['without', false],
  ])('%s', (_, hasIds) => {
    const orders = fc.array(fc.nat(), { minLength: 16, maxLength: 16 })
    fc.assert(
      fc.property(runs, orders, (history, order) => {
        const events = eventsOf(history, hasIds)
        const live = after(
          {},
          ...events.map((event) => ({ ...event, came: event.ran, ran: undefined })).map(withoutRan),
        )
        const shuffled = events.map((event, index) => ({ event, key: order[index] ?? 0 })).sort((a, b) => a.key - b.key)
        const late = after(
          {},
          ...shuffled.map(({ event }, index) => ({ ...event, came: addSeconds(NOON, 20_000 + index) })),
        )
        expect(timesOf(late.log, pairRuns(late.log))).toEqual(timesOf(live.log, pairRuns(live.log)))
        expect(timesOf(late.log, certainRuns(late.log, 60))).toEqual(timesOf(live.log, certainRuns(live.log, 60)))
      }),
    )
  })

  function withoutRan({ action, rid, came }: { action: Action; rid: string | null; came: Instant }): Sent {
    return { action, rid, came }
  }

  test('and delivered in order, the check and its history are the same', () => {
    fc.assert(
      fc.property(runs, (history) => {
        const events = eventsOf(history, true)
        const live = after({}, ...events.map(({ ran, ...event }) => ({ ...event, came: ran })))
        const late = after({}, ...events.map((event, index) => ({ ...event, came: addSeconds(NOON, 20_000 + index) })))
        expect(late.check.lastDuration).toBe(live.check.lastDuration)
        const durations = ({ check }: typeof live) => runMarks(check.runs).map(({ duration }) => duration)
        expect(durations(late)).toEqual(durations(live))
      }),
    )
  })
})
