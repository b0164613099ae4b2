/** The run history made from a log equals the one that was stored with each ping. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Check } from '../../../src/domain/check/check.ts'
import { runMarks } from '../../../src/domain/check/run-history.ts'
import { type PastEvent, pastRuns } from '../../../src/domain/log/past-runs.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { aCheck, at, NOON, RID_A, RID_B } from '../../support/builders.ts'
import { CHECK, type Event, histories, live, type Step } from '../support/histories.ts'

const ping = (kind: 'success' | 'start' | 'fail' | 'log' | 'ign', time: string, rid: string | null = null) => ({
  kind,
  rid,
  at: at(time),
})
const kinds = (check: Partial<Check>, events: readonly PastEvent[]) =>
  runMarks(pastRuns(aCheck(check), NOON, events)).map(({ kind }) => kind)

const HOURLY = { timeoutSeconds: 3_600, graceSeconds: 600 }

describe('the past runs of a check', () => {
  test('are none without a success or failure', () => {
    expect(kinds(HOURLY, [])).toEqual([])
    expect(kinds(HOURLY, [ping('start', '12:00'), ping('log', '12:01'), ping('ign', '12:02')])).toEqual([])
  })

  test.each([
    { methods: 'POST' },
    { filterHttpBody: true, successKw: 'done' },
    { status: 'paused', manualResume: true },
  ] as const)('are what the log says, although today it would take the pings for something else: %p', (settings) => {
    expect(kinds({ ...HOURLY, ...settings }, [ping('success', '12:00'), ping('fail', '12:50')])).toEqual([
      'ok',
      'failed',
    ])
  })

  test('are late or missing by its schedule', () => {
    const log = [ping('success', '12:00'), ping('fail', '12:50'), ping('success', '14:20'), ping('success', '16:21')]
    expect(kinds(HOURLY, log)).toEqual(['ok', 'failed', 'late', 'missing', 'ok'])
  })

  test('have the durations of their starts', () => {
    const log = [
      ping('start', '12:00', RID_A),
      ping('start', '12:01', RID_B),
      ping('success', '12:02', RID_A),
      ping('success', '12:03', RID_B),
    ]
    const [first, second] = runMarks(pastRuns(aCheck(HOURLY), NOON, log))
    expect(first?.duration).toBeNull()
    expect(Math.abs((second?.duration ?? 0) / 120_000_000 - 1)).toBeLessThan(0.1)
  })

  test('have its pauses, in which nothing is missing', () => {
    const pauses = [
      { kind: 'pause', at: at('12:30') },
      { kind: 'resume', at: at('18:00') },
      { kind: 'pause', at: at('18:01') },
    ] as const
    expect(kinds(HOURLY, [ping('success', '12:00'), ...pauses, ping('success', '20:00')])).toEqual([
      'ok',
      'paused',
      'paused',
      'ok',
    ])
  })
})

function pastEvents({ event, ping, flip, now }: Step): PastEvent[] {
  if (ping) return [{ kind: ping.kind, rid: ping.rid, at: now }]
  if (flip && (event.kind === 'pause' || event.kind === 'resume')) return [{ kind: event.kind, at: now }]
  return []
}

test('the run history that any history of a check keeps is the one made of its log', () => {
  // Another schedule in the past is forgotten. Keywords and filters have left their mark in the kinds of pings.
  const isOfOneSchedule = ({ kind }: Event) => kind !== 'update'
  let marks = 0
  const property = fc.property(histories, (events) => {
    const steps = live(CHECK, events.filter(isOfOneSchedule))
    // A check that went down before the clock was set back is down before its deadline, which the log does not show.
    fc.pre(steps.every(({ now }, index) => Temporal.Instant.compare(steps[index - 1]?.now ?? now, now) <= 0))
    const kept = steps.at(-1)?.after.runs ?? CHECK.runs
    expect(runMarks(pastRuns(CHECK, NOON, steps.flatMap(pastEvents)))).toEqual(runMarks(kept))
    marks += kept.length
  })
  fc.assert(property, { numRuns: 1_000 })
  expect(marks).toBeGreaterThan(1_000)
})
