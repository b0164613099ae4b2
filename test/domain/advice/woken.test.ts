/** Settings that are tried on the past of a check. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { AdvisedCheck, AdvisedPing } from '../../../src/domain/advice/facts.ts'
import { type Woken, type WokenFacts, woken } from '../../../src/domain/advice/woken.ts'
import type { ReplayTiming } from '../../../src/domain/preview/replay.ts'

interface Settings {
  readonly kind: 'simple' | 'cron' | 'oncalendar'
  readonly timeout?: number
  readonly schedule?: string
  readonly tz?: string
  readonly grace: number
}

interface Vector {
  readonly name: string
  readonly check: Settings
  readonly try: Settings
  readonly now: string
  readonly log: readonly (readonly [string, AdvisedPing['kind'], number | null, string | null, string | null])[]
  readonly pauses?: readonly string[]
  readonly away?: readonly (readonly [string, string])[]
  readonly expect: Readonly<Record<string, unknown>>
}

const vectors = readFileSync(new URL('./doctor.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('{"name": "woken') || line.startsWith('{"name":"woken'))
  .map((line): Vector => JSON.parse(line))

const timing = ({ kind, timeout = 86_400, schedule = '* * * * *', tz = 'UTC', grace }: Settings): ReplayTiming => ({
  kind,
  timeoutSeconds: timeout,
  schedule,
  tz,
  graceSeconds: grace,
})

const checkOf = (settings: Settings): AdvisedCheck => ({
  ...timing(settings),
  createdAt: 0,
  changedAt: 0,
  pausedAt: null,
  manualResume: false,
  methods: '',
})

const ping = (at: number, kind: AdvisedPing['kind'], duration: number | null = null, runId: string | null = null) => ({
  at,
  kind,
  duration,
  runId,
  sender: null,
  userAgent: '',
  method: 'GET',
  ignoredBy: null,
  lastLine: null,
})

const ms = (time: string) => Date.parse(time)

function factsOf({ check, log, pauses = [], away = [] }: Vector): WokenFacts {
  return {
    check: checkOf(check),
    log: log.map(([time, kind, duration, rid]) => ping(ms(time), kind, duration, rid)),
    away: [
      ...pauses.map((time) => ({ from: ms(time), until: ms(time), why: 'pause' as const })),
      ...away.map(([from, until]) => ({ from: ms(from), until: ms(until), why: 'outage' as const })),
    ],
  }
}

const iso = (at: number) => new Date(at).toISOString()

const written = ({ alerts, spared, unfound, later, gained, more, noticeSeconds, noticeThenSeconds }: Woken) => ({
  ...{ alerts, spared },
  unfound: unfound.map(iso),
  later: later.map(({ at, minutes }) => [iso(at), minutes]),
  gained: gained.map(iso),
  more: more.map(iso),
  notice_s: noticeSeconds,
  notice_then_s: noticeThenSeconds,
})

const HOUR = 3_600_000
const hourly = (grace: number, timeout = 3_600) => timing({ kind: 'simple', timeout, grace })
const successes = (...hours: readonly number[]) => hours.map((hour) => ping(hour * HOUR, 'success'))
const facts = (grace: number, log: readonly AdvisedPing[], away: WokenFacts['away'] = []): WokenFacts => ({
  check: checkOf({ kind: 'simple', timeout: 3_600, grace }),
  log,
  away,
})

describe('settings tried on a log', () => {
  test('there are nine recorded logs', () => expect(vectors).toHaveLength(9))

  for (const vector of vectors) {
    test(vector.name, () => {
      const { then: alertsThen, ...others } = vector.expect
      const found = woken(factsOf(vector), { timing: timing(vector.try) }, ms(vector.now))
      expect<unknown>(found.alertsThen).toBe(alertsThen)
      expect<object>(written(found)).toEqual(others)
    })
  }

  test('an outage that goes on is not found yet by a longer grace time', () => {
    const found = woken(facts(600, successes(0, 1, 2, 3, 4)), { timing: hourly(36_000) }, 9 * HOUR)
    expect(found).toMatchObject({ alerts: 1, alertsThen: 0, spared: 0, unfound: [], notYet: 5 * HOUR + 600_000 })
  })

  test('a failure is found by any timing, also after a failure of which nobody knows how it began', () => {
    const log = [ping(0, 'fail'), ...successes(1, 2), ping(3 * HOUR, 'fail'), ...successes(4)]
    expect(woken(facts(600, log), { timing: hourly(60) }, 4 * HOUR)).toMatchObject({
      alerts: 1,
      alertsThen: 1,
      spared: 0,
    })
  })

  test('a log without a run tells nothing but how soon an outage is noticed', () => {
    const log = [ping(0, 'start'), ping(1, 'log'), ping(2, 'ign')]
    const found = woken(facts(600, log), { timing: hourly(60) }, 9 * HOUR)
    expect(found).toMatchObject({
      alerts: 0,
      alertsThen: 0,
      over: null,
      noticeSeconds: 4_200,
      noticeThenSeconds: 3_660,
    })
  })

  test('rules are tried by the log that they would have made', () => {
    const log = successes(0, 1, 2, 3, 4)
    const ignored = log.map((each, index) => (index > 1 ? { ...each, kind: 'ign' as const } : each))
    const found = woken(facts(600, log), { timing: hourly(600), log: ignored }, 4 * HOUR)
    expect(found).toMatchObject({ alerts: 0, alertsThen: 1, gained: [2 * HOUR + 600_000], more: [] })
  })

  test('a schedule that ends has no time after which an outage is noticed', () => {
    const ends = timing({ kind: 'oncalendar', schedule: '2020-01-01 03:00', grace: 600 })
    const found = woken(facts(600, successes(0, 1)), { timing: ends }, ms('2026-01-01T00:00:00Z'))
    expect(found.noticeThenSeconds).toBeNull()
  })
})
