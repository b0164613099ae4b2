/** The past of a check under a schedule that it may not have had. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Check } from '../../../src/domain/check/check.ts'
import { RUNS_KEPT } from '../../../src/domain/check/run-history.ts'
import { type ReplayEvent, type ReplayTiming, replay, sinceFirst } from '../../../src/domain/preview/replay.ts'
import { stripOf } from '../../../src/domain/run/strip.ts'
import { type Instant, isAtOrAfter, Temporal } from '../../../src/lib/time.ts'
import { aCheck, at, NOON, RID_A, RID_B } from '../../support/builders.ts'
import { CHECK, type Event, histories, live, moved, type Step } from '../support/histories.ts'

const HOUR = 3_600

const timing = (given: Partial<ReplayTiming>): ReplayTiming => ({
  kind: 'simple',
  timeoutSeconds: HOUR,
  schedule: '* * * * *',
  tz: 'UTC',
  graceSeconds: 600,
  ...given,
})
const hourly = timing({})
const byCron = (schedule: string, tz = 'UTC', graceSeconds = 600) =>
  timing({ kind: 'cron', schedule, tz, graceSeconds })

type PingKind = 'success' | 'start' | 'fail' | 'log' | 'ign'
type Entry = readonly [time: string, kind?: PingKind | 'pause' | 'resume', rid?: string]

/** Makes events numbered from 1, with times of a day, or whole times. */
function log(...entries: readonly Entry[]): readonly ReplayEvent[] {
  let n = 0
  return entries.map(([time, kind = 'success', rid = null]) => {
    const instant = time.includes('T') ? Temporal.Instant.from(time) : at(time)
    if (kind === 'pause' || kind === 'resume') return { kind, at: instant }
    n += 1
    return { kind, rid, n, at: instant }
  })
}

const kinds = (given: ReplayTiming, events: readonly ReplayEvent[], now: Instant) =>
  replay(given, events, now).runs.map(({ kind }) => kind)

describe('the replay of a log', () => {
  test('is empty without a run', () => {
    const none = { runs: [], hasFirst: false, onTime: 0, late: 0, missing: 0, extra: 0, failed: 0 }
    expect(replay(hourly, [], NOON)).toEqual(none)
    expect(replay(hourly, log(['09:00', 'log'], ['09:01', 'ign'], ['09:02', 'pause']), NOON)).toEqual(none)
  })

  test('tells when each run came or was expected, its log entry, and by how much it was late', () => {
    const events = log(['05:00'], ['05:59:59', 'fail'], ['07:20'], ['09:25', 'start'], ['09:26'])
    const { runs, ...counts } = replay(byCron('0 * * * *'), events, at('10:05'))
    expect(runs).toEqual([
      { kind: 'ok', at: at('05:00'), n: 1, delay: null },
      { kind: 'failed', at: at('05:59:59'), n: 2, delay: null },
      { kind: 'missing', at: at('06:00'), n: null, delay: null },
      { kind: 'late', at: at('07:20'), n: 3, delay: 20 * 60_000_000 },
      { kind: 'missing', at: at('08:00'), n: null, delay: null },
      { kind: 'late', at: at('09:26'), n: 5, delay: 25 * 60_000_000 },
    ])
    expect(counts).toEqual({ hasFirst: true, onTime: 1, late: 2, missing: 2, extra: 0, failed: 1 })
  })

  test('has what is missing since the last run', () => {
    const events = log(['05:00'])
    expect(kinds(hourly, events, at('06:09'))).toEqual(['ok'])
    expect(kinds(hourly, events, at('07:09'))).toEqual(['ok', 'missing'])
    expect(replay(hourly, events, at('07:10')).runs.slice(1)).toEqual([
      { kind: 'missing', at: at('06:00'), n: null, delay: null },
      { kind: 'missing', at: at('07:00'), n: null, delay: null },
    ])
  })

  test('has no delay for a run that began in time and took too long', () => {
    const events = log(['05:00'], ['06:05', 'start'], ['06:40'])
    expect(replay(hourly, events, at('06:41')).runs.at(-1)).toEqual({
      kind: 'late',
      at: at('06:40'),
      n: 3,
      delay: null,
    })
  })

  test('has the newest thirty runs, of which the missing ones are the newest expected times', () => {
    const { runs, missing, onTime } = replay(
      byCron('* * * * *', 'UTC', 60),
      log(['05:00'], ['08:00'], ['08:01']),
      at('08:01'),
    )
    expect([missing, onTime, runs.length]).toEqual([28, 2, RUNS_KEPT])
    expect(runs[0]?.at).toEqual(at('07:32'))
    expect(runs[27]?.at).toEqual(at('07:59'))
    expect(replay(byCron('* * * * *'), log(['05:00']), at('08:30')).runs.map((run) => run.at)).toEqual(
      // Ten minutes of grace.
      Array.from({ length: RUNS_KEPT }, (_, minute) => moved(at('07:51'), minute * 60_000_000)),
    )
  })

  test('leaves out the first run of a log that went well, since no schedule expected it', () => {
    const since = (events: readonly ReplayEvent[], now: Instant) => {
      const { runs, onTime, failed } = sinceFirst(replay(byCron('* * * * *'), events, now))
      return [runs.length, onTime, failed]
    }
    expect(since(log(['05:00', 'start'], ['05:00:10'], ['05:01']), at('05:01:30'))).toEqual([1, 1, 0])
    expect(since(log(['05:00', 'fail'], ['05:01']), at('05:01:30'))).toEqual([2, 1, 1])
    expect(since(log(['05:00']), at('05:00:30'))).toEqual([0, 0, 0])
    expect(since([], at('05:00'))).toEqual([0, 0, 0])
    const many = log(...Array.from({ length: 59 }, (_, minute): Entry => [`05:${String(minute).padStart(2, '0')}`]))
    expect(since(many, at('05:58:30'))).toEqual([RUNS_KEPT, RUNS_KEPT, 0])
  })

  test('counts a run as extra when none was expected since the one before it, but not by a period', () => {
    const events = log(['05:00'], ['05:30'], ['06:00'], ['06:10', 'fail'])
    expect(kinds(byCron('0 * * * *'), events, at('06:30'))).toEqual(['ok', 'extra', 'ok', 'failed'])
    expect(kinds(timing({ kind: 'oncalendar', schedule: 'hourly' }), events, at('06:30'))).toEqual([
      'ok',
      'extra',
      'ok',
      'failed',
    ])
    expect(kinds(hourly, events, at('06:30'))).toEqual(['ok', 'ok', 'ok', 'failed'])
  })

  test('finds the pings of a weekend that a schedule of weekdays leaves out', () => {
    const days = [2, 3, 4, 5, 6, 7, 8, 9, 10].map((day): Entry => [`2026-03-${String(day).padStart(2, '0')}T02:05:00Z`])
    const { extra, onTime, missing } = replay(
      byCron('0 2 * * 1-5'),
      log(...days),
      Temporal.Instant.from('2026-03-10T12:00:00Z'),
    )
    // The pings of Saturday and Sunday match no slot.
    expect({ extra, onTime, missing }).toEqual({ extra: 2, onTime: 7, missing: 0 })
  })

  test('expects nothing from a pause until the next run', () => {
    const events = log(['05:00'], ['07:30', 'pause'], ['09:00', 'resume'], ['11:10'])
    expect(replay(hourly, events, at('11:30')).runs.map(({ kind, at: time }) => [kind, time])).toEqual([
      ['ok', at('05:00')],
      ['missing', at('06:00')],
      ['missing', at('07:00')],
      ['ok', at('11:10')],
    ])
    expect(kinds(byCron('0 * * * *'), log(['05:00'], ['05:10', 'pause'], ['05:20']), at('05:30'))).toEqual(['ok', 'ok'])
  })

  test('pairs a run with its start, also when it began long before the newest runs', () => {
    const many = Array.from({ length: 40 }, (_, hour): Entry => {
      const time = moved(Temporal.Instant.from('2026-03-02T00:05:00Z'), hour * HOUR * 1_000_000)
      return [String(time), 'success', RID_B]
    })
    const events = log(['2026-03-02T00:01:00Z', 'start', RID_A], ...many, ['2026-03-03T15:15:00Z', 'success', RID_A])
    expect(replay(byCron('0 * * * *'), events, Temporal.Instant.from('2026-03-03T15:20:00Z')).runs.at(-1)?.kind).toBe(
      'late',
    )
  })
})

test('a wrong zone is found at once', () => {
  // The night of the 29th has no 03:30.
  const nights = ['26T01:32', '27T01:32', '28T01:32', '29T01:02', '30T00:32', '31T00:32'].map(
    (night): Entry => [`2026-03-${night}:00Z`],
  )
  const now = Temporal.Instant.from('2026-03-31T10:00:00Z')
  expect(replay(byCron('30 3 * * *', 'Europe/Riga'), log(...nights), now)).toMatchObject({ onTime: 6, late: 0 })
  expect(replay(byCron('30 3 * * *', 'UTC'), log(...nights), now)).toMatchObject({ onTime: 1, late: 5 })
})

function logged({ event, ping, flip, now }: Step): ReplayEvent[] {
  if (ping) return [{ kind: ping.kind, rid: ping.rid, n: ping.n, at: now }]
  return flip && (event.kind === 'pause' || event.kind === 'resume') ? [{ kind: event.kind, at: now }] : []
}

const ZONES = [
  'UTC',
  'Europe/Riga',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'Pacific/Apia',
] as const

const checks = fc
  .record({
    kind: fc.constantFrom('simple', 'cron', 'oncalendar'),
    cron: fc.constantFrom('*/15 * * * *', '7 * * * *', '30 1-4 * * *', '0 */2 * * *', '* 2 * * 0,1'),
    calendar: fc.constantFrom('hourly', '*:0/20', 'Sat,Sun *-*-* 2:30', '2026-03-29 02:20'),
    tz: fc.constantFrom(...ZONES),
    timeoutSeconds: fc.constantFrom(60, 900, HOUR),
    graceSeconds: fc.constantFrom(60, 600, 7_200),
  })
  .map(({ cron, calendar, ...given }) => ({ ...given, schedule: given.kind === 'cron' ? cron : calendar }))

// Clocks change in one of the zones in the hours after these instants.
const BEGINNINGS = [
  '2026-03-28T22:00Z',
  '2026-10-24T22:00Z',
  '2026-03-08T04:00Z',
  '2026-04-04T12:00Z',
  '2026-03-04T12:00Z',
]

test('the replay of a log under its own schedule finds what the server found at the time', () => {
  const isOfOneSchedule = ({ kind }: Event) => kind !== 'update'
  const found = { ok: 0, late: 0, missing: 0, failed: 0 }
  const property = fc.property(checks, histories, fc.constantFrom(...BEGINNINGS), (given, events, from) => {
    const steps = live(
      aCheck({ ...CHECK, ...given } as Partial<Check>),
      events.filter(isOfOneSchedule),
      Temporal.Instant.from(from),
    )
    fc.pre(steps.every(({ now }, index) => isAtOrAfter(now, steps[index - 1]?.now ?? now)))
    const last = steps.at(-1)
    if (!last) return
    const server = stripOf(last.after, last.now).map(({ kind }) => kind)
    const recorded = server.filter((kind) => kind !== 'paused' && kind !== 'running')
    const judged = replay(given as ReplayTiming, steps.flatMap(logged), last.now).runs
    // The strip has room for thirty marks, pauses included.
    expect(judged.slice(-recorded.length || judged.length).map(({ kind }) => (kind === 'extra' ? 'ok' : kind))).toEqual(
      recorded as never,
    )
    if (server.length < RUNS_KEPT) expect(judged.length).toBe(recorded.length)
    for (const [index, { at: time, kind }] of judged.entries()) {
      const before = judged[index - 1]
      if (before) expect(isAtOrAfter(time, before.at)).toBe(true)
      if (kind !== 'extra') found[kind] += 1
    }
  })
  fc.assert(property, { numRuns: 1_000 })
  for (const amount of Object.values(found)) expect(amount).toBeGreaterThan(50)
})
