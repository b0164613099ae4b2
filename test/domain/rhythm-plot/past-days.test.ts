import { describe, expect, test } from 'bun:test'
import type { PastDay } from '../../../src/domain/rhythm-plot/facts.ts'
import { pastDays } from '../../../src/domain/rhythm-plot/past-days.ts'
import { type RhythmPlot, rhythmPlot } from '../../../src/domain/rhythm-plot/rhythm-plot.ts'
import { packedMinutes } from '../../../src/domain/run/day-minutes.ts'
import { DAY, factsOf, MORNING, RHYTHM_JOBS, type RhythmJob } from '../../support/rhythm-jobs.ts'

const MINUTE = 60_000

function plotOf(job: RhythmJob, past: readonly PastDay[], days: 30 | 90 = 30): RhythmPlot {
  const plot = rhythmPlot(factsOf(job, { days: past }), { tz: 'Europe/Riga', days, isWhole: false }, MORNING)
  if ('tooFew' in plot) throw new Error(`only ${plot.tooFew} runs`)
  return plot
}

test('days before the log are drawn from what is kept of them', () => {
  const before = factsOf(RHYTHM_JOBS.healthy).runs[0]?.began ?? 0
  const day = (ago: number, began: readonly number[], missed = 0) => {
    const from = Date.parse('2026-09-21T21:00:00Z') - ago * DAY
    return {
      from,
      until: from + DAY,
      began: began.map((minute) => from + minute * MINUTE),
      runs: began.length,
      failed: 0,
      missed,
      longest: 25 * MINUTE,
    }
  }
  const days = [day(3, [170]), day(2, [121]), day(1, [], 1)]
  const { runs } = plotOf(RHYTHM_JOBS.healthy, days, 90)
  const old = runs.filter(({ began }) => began < before)
  expect(old.map(({ kind }) => kind)).toEqual(['late', 'ran', 'missing'])
  expect(old[1]).toMatchObject({ isTimed: true, n: null })
})

describe('of days before the log the finding knows', () => {
  const MIDNIGHT = Date.parse('2026-11-13T22:00:00Z')
  const pastDay = (ago: number, minutes: readonly number[], over: Partial<PastDay> = {}): PastDay => {
    const from = MIDNIGHT - ago * DAY
    const began = minutes.map((minute) => from + minute * MINUTE)
    return { from, until: from + DAY, began, runs: began.length, failed: 0, missed: 0, longest: null, ...over }
  }
  const every = (minutes: number) => Array.from({ length: 1_440 / minutes }, (_, index) => index * minutes)
  const period = (timeoutSeconds: number, runs: RhythmJob['runs']): RhythmJob => ({
    name: 'Sync',
    settings: { kind: 'simple', timeoutSeconds, graceSeconds: 600 },
    runs,
  })
  const since = (minutes: number) =>
    every(minutes)
      .flatMap((minute) => [0, 1, 2, 3].map((day) => MIDNIGHT + day * DAY + minute * MINUTE))
      .filter((at) => at >= MIDNIGHT && at <= MORNING)
      .sort((a, b) => a - b)
      .map((at) => ({ at, takes: 0 }))

  test('how many runs failed, though not which', () => {
    const job = period(1_200, since(20))
    const days = [3, 2, 1].map((ago) => pastDay(ago, every(20), { failed: 36 }))
    const plot = plotOf(job, days)
    const squares = 'squares' in plot ? plot.squares : []
    expect(plot.finding).toBe(`a run every 20 min; 108 of ${216 + job.runs.length} runs failed`)
    expect(new Set(squares.filter(({ isFailed }) => isFailed).map(({ column }) => column))).toEqual(
      new Set([23, 24, 25]),
    )
  })

  test('all runs, also those that share a minute', () => {
    const job = period(1_200, since(20))
    const { finding } = plotOf(job, [pastDay(1, every(20), { runs: 100, failed: 1 })])
    expect(finding).toBe(`a run every 20 min; 1 of ${100 + job.runs.length} runs failed`)
  })

  test('how many are missing of a period, which has no slots', () => {
    const job = period(7_200, since(120))
    const { finding } = plotOf(job, [pastDay(1, every(120).slice(3), { missed: 3 })])
    const all = 12 + job.runs.length
    expect(finding).toBe(`${all - 3} of ${all} runs went as expected, 3 are missing`)
  })

  test('that a job flaps since then or longer', () => {
    const runs = since(240).map((run, index) => ({ ...run, fails: index % 2 === 0 }))
    const { finding } = plotOf(period(14_400, runs), [pastDay(1, every(240), { failed: 3 })])
    expect(finding).toBe(`flapping at least since 14 Nov: ${Math.ceil(runs.length / 2)} of ${runs.length} runs failed`)
  })

  test('not how long runs took, if there were several a day', () => {
    const runs = since(240).map((run) => ({ ...run, takes: 15 }))
    const job = {
      ...period(14_400, runs),
      settings: { kind: 'cron', schedule: '0 */4 * * *', graceSeconds: 600 },
    } as const
    const days = [2, 1].map((ago) => pastDay(ago, every(240), { longest: 900_000 }))
    expect(plotOf(job, days).finding).toBe(
      `all ${runs.length} runs of the log took longer than the grace time of 10 minutes: up to 15 min`,
    )
  })

  test('of the day on which the log begins what came before', () => {
    const runs = since(120).slice(6)
    const day = pastDay(0, every(120), { failed: 2, missed: 1 })
    const { finding } = plotOf(period(7_200, runs), [day])
    const all = 6 + runs.length + 1
    expect(finding).toBe(`${all - 3} of ${all} runs went as expected, 2 failed, 1 is missing`)
  })
})

test('what is kept of a day is told in moments, also when clocks change', () => {
  const kept = { runs: 3, failed: 0, missed: 0, firstAt: null, lastAt: null, longest: 90_000_000 }
  const days = [
    { ...kept, day: '2026-10-24', minutes: packedMinutes([60]) },
    { ...kept, day: '2026-10-25', minutes: packedMinutes([60, 300]) },
  ]
  const [before, changed] = pastDays(days, 'Europe/Riga')
  expect([before?.from, before?.until]).toEqual(['2026-10-23T21:00Z', '2026-10-24T21:00Z'].map(Date.parse))
  expect(changed?.began).toEqual(['2026-10-24T22:00Z', '2026-10-25T03:00Z'].map(Date.parse))
  expect(changed?.until).toBe(Date.parse('2026-10-25T22:00Z'))
  expect(changed?.longest).toBe(90_000)
})
