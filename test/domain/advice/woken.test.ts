/** Trial settings, compared with a check's log. */
import { describe, expect, test } from 'bun:test'
import { readCase } from '../../../src/domain/advice/cases.ts'
import { type Woken, type WokenFacts, woken } from '../../../src/domain/advice/woken.ts'
import type { PingKind } from '../../../src/domain/ping/signal.ts'
import type { ReplayTiming } from '../../../src/domain/preview/replay.ts'
import { doctorLines } from './vectors.ts'

const cases = doctorLines().filter(({ name }) => name.startsWith('woken: '))

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
const hourly = (graceSeconds: number): ReplayTiming => ({
  kind: 'simple',
  timeoutSeconds: 3_600,
  schedule: '* * * * *',
  tz: 'UTC',
  graceSeconds,
})
const ping = (at: number, kind: PingKind) => ({ at, kind, runId: null })
const successes = (...hours: readonly number[]) => hours.map((hour) => ping(hour * HOUR, 'success'))
const facts = (grace: number, log: WokenFacts['log']): WokenFacts => ({ check: hourly(grace), log, away: [] })

describe('settings tried on a log', () => {
  test('there are nine recorded logs', () => expect(cases).toHaveLength(9))

  for (const { name, line, expect: expected } of cases) {
    test(name, () => {
      const { facts, tried, now } = readCase(line)
      if (tried === null) throw new Error('it tries nothing')
      const { then: alertsThen, ...others } = expected
      const found = woken(facts, { timing: tried }, now)
      expect<unknown>(found.alertsThen).toBe(alertsThen)
      expect<object>(written(found)).toEqual(others)
    })
  }

  test('an outage that goes on is not found yet by a longer grace time', () => {
    const found = woken(facts(600, successes(0, 1, 2, 3, 4)), { timing: hourly(36_000) }, 9 * HOUR)
    expect(found).toMatchObject({ alerts: 1, alertsThen: 0, spared: 0, unfound: [], notYet: 5 * HOUR + 600_000 })
  })

  test('alerts are counted for 30 days, or since a shorter log begins', () => {
    const log = [...successes(0, 1), ping(2 * HOUR, 'fail'), ...successes(3, 800), ping(801 * HOUR, 'fail')]
    const recent = (now: number) => woken(facts(600, log), { timing: hourly(36_000_000) }, now).recent
    expect(recent(801 * HOUR)).toEqual({ since: 81 * HOUR, alerts: 1, alertsThen: 1 })
    const short = facts(600, successes(1, 2, 5))
    expect(woken(short, { timing: hourly(36_000) }, 5 * HOUR).recent).toEqual({
      since: HOUR,
      alerts: 1,
      alertsThen: 0,
    })
    expect(woken(facts(600, []), { timing: hourly(600) }, HOUR).recent).toBeNull()
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
    const ends: ReplayTiming = { ...hourly(600), kind: 'oncalendar', schedule: '2020-01-01 03:00' }
    const found = woken(facts(600, successes(0, 1)), { timing: ends }, Date.UTC(2026, 0))
    expect(found.noticeThenSeconds).toBeNull()
  })
})
