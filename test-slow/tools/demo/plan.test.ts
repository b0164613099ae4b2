import { describe, expect, test } from 'bun:test'
import type { Job } from '../../../scripts/demo/job.ts'
import { JOBS } from '../../../scripts/demo/jobs/index.ts'
import { type PlannedPing, planPings } from '../../../scripts/demo/plan.ts'
import { CheckSpec } from '../../../src/domain/check/check.ts'
import { fits } from '../../../src/domain/schema.ts'

const NOW = Date.parse('2026-11-18T08:47:00Z')
const HOUR = 3_600_000

const HOURLY: Job = {
  project: 'Office',
  spec: { name: 'Hourly', slug: 'hourly', timeout: 3_600, grace: 600 },
  sender: { kind: 'http', agent: 'curl/8.14.1', address: '192.0.2.1', method: 'GET' },
  takes: 60,
  beganAgo: 30 * 60,
}

/** Returns the pings that begin within some hours before and after now. */
function planned(job: Job, before: number, after = 0): PlannedPing[] {
  const pings: PlannedPing[] = []
  for (const ping of planPings(job, NOW)) {
    if (ping.at >= NOW + after * HOUR) break
    if (ping.at >= NOW - before * HOUR) pings.push(ping)
  }
  return pings
}

describe('the pings of a job', () => {
  test('begin on the day on which its check was made', () => {
    const [first] = planPings({ ...HOURLY, madeDaysAgo: 2 }, NOW)
    expect(first?.at).toBeGreaterThanOrEqual(NOW - 48 * HOUR)
    expect(first?.at).toBeLessThan(NOW - 47 * HOUR)
  })

  test('come in order, a start and an end for each run', () => {
    const pings = planned(HOURLY, 24)
    expect(pings.map(({ action }) => action)).toEqual(
      Array.from({ length: 24 }, () => ['start', 'success'] as const).flat(),
    )
    expect(pings.map(({ at }) => at)).toEqual(pings.map(({ at }) => at).toSorted((a, b) => a - b))
  })

  test('of a period are counted from its last run, of a schedule from its times in its zone', () => {
    const [last] = planned(HOURLY, 1)
    expect(NOW - (last?.at ?? 0)).toBeWithin(30 * 60_000 - 5_000, 30 * 60_000)
    const nightly = { ...HOURLY, spec: { name: 'Nightly', slug: 'nightly', schedule: '30 2 * * *', tz: 'Europe/Riga' } }
    const [started] = planned(nightly, 24)
    expect(new Date(started?.at ?? 0).toISOString()).toStartWith('2026-11-18T00:30:0')
  })

  test('are absent in hours of silence, and failures in hours of failure', () => {
    const says = () => 'broken'
    const troubles: Job['troubles'] = [
      { fromHoursAgo: 3, toHoursAgo: 2, what: { kind: 'silent' } },
      { fromHoursAgo: 2, toHoursAgo: null, what: { kind: 'failed', exitStatus: 3, says } },
    ]
    const ends = planned({ ...HOURLY, troubles }, 4, 1).filter(({ action }) => action !== 'start')
    expect(ends.map(({ action, exitStatus, text }) => [action, exitStatus, text])).toEqual([
      ['success', null, null],
      ['fail', 3, 'broken'],
      ['fail', 3, 'broken'],
      ['fail', 3, 'broken'],
    ])
  })

  test('come later in hours of delay', () => {
    const troubles: Job['troubles'] = [{ fromHoursAgo: 1, toHoursAgo: null, what: { kind: 'late', bySeconds: 1_200 } }]
    const [started] = planned({ ...HOURLY, troubles }, 1)
    expect(NOW - (started?.at ?? 0)).toBeWithin(10 * 60_000 - 5_000, 10 * 60_000)
  })

  test('end when its check is paused, and never begin for a job that was never started', () => {
    expect(planned({ ...HOURLY, paused: { hoursAgo: 5, by: 'somebody' } }, 5, 5)).toEqual([])
    expect(planned({ ...HOURLY, hasNeverRun: true }, 800, 5)).toEqual([])
  })

  test('come to an end with a silence that goes on', () => {
    const troubles: Job['troubles'] = [{ fromHoursAgo: 5, toHoursAgo: null, what: { kind: 'silent' } }]
    const all = [...planPings({ ...HOURLY, madeDaysAgo: 1, troubles }, NOW)]
    expect(all).toHaveLength(2 * (24 - 5))
  })

  test('are the same each time', () => {
    expect(planned(HOURLY, 100)).toEqual(planned(HOURLY, 100))
  })
})

describe('the company', () => {
  test('has 36 checks, whose settings are valid and whose slugs differ', () => {
    expect(JOBS).toHaveLength(36)
    expect(new Set(JOBS.map(({ spec }) => spec.slug)).size).toBe(36)
    expect(JOBS.filter(({ spec }) => !fits(CheckSpec, spec))).toEqual([])
  })
})
