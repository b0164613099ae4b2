import { describe, expect, test } from 'bun:test'
import type { RhythmFacts } from '../../../src/domain/rhythm-plot/facts.ts'
import { plotRuns } from '../../../src/domain/rhythm-plot/plot-runs.ts'
import {
  type HourPlot,
  type PlotView,
  type RhythmPlot,
  rhythmPlot,
  type TimePlot,
} from '../../../src/domain/rhythm-plot/rhythm-plot.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { aSilence } from '../../support/builders.ts'
import { DAY, factsOf, historyOf, MORNING, RHYTHM_JOBS, type RhythmJob, times } from '../../support/rhythm-jobs.ts'

const MINUTE = 60_000

function plotOf(job: RhythmJob, over: Partial<RhythmFacts> = {}, view: Partial<PlotView> = {}): RhythmPlot {
  const facts = factsOf(job, over)
  const { kind, tz } = facts.timings[0]
  const plot = rhythmPlot(
    facts,
    { tz: kind === 'simple' ? 'Europe/Riga' : tz, days: 30, isWhole: false, ...view },
    MORNING,
  )
  if ('tooFew' in plot) throw new Error(`only ${plot.tooFew} runs`)
  return plot
}
function timePlot(job: RhythmJob, over: Partial<RhythmFacts> = {}, view: Partial<PlotView> = {}): TimePlot {
  const plot = plotOf(job, over, view)
  if (!('marks' in plot)) throw new Error('the minutes of the hour')
  return plot
}
function hourPlot(job: RhythmJob, over: Partial<RhythmFacts> = {}): HourPlot {
  const plot = plotOf(job, over)
  if (!('squares' in plot)) throw new Error('the time of day')
  return plot
}
const kinds = ({ marks }: TimePlot) => {
  const groups = Map.groupBy(marks, ({ kind }) => kind)
  return Object.fromEntries([...groups].map(([kind, { length }]) => [kind, length]))
}

describe('the finding says what the plot of a job shows:', () => {
  test.each([
    ['healthy', '28 of 30 runs went as expected, 1 failed, 1 is missing; the last one took 38 min, longer than usual'],
    [
      'shifted',
      'every run started late: at 05:00 until 24 Oct and at 04:00 since, always 03:00 UTC; expected at 03:00',
    ],
    ['slow', '25 of 30 runs took longer than the grace time of 1 hour: up to 1 h 26 min'],
    ['weekdays', 'missing on each of 4 weekends, ran on all other days'],
    ['frequent', 'a run every 5 min, expected every day; on 15 Nov nothing ran for 7 h 15 min'],
    ['flapping', 'flapping since 6 Nov: 33 of 66 runs failed'],
    ['weekly', '10 of 12 runs went as expected, 1 failed, 1 is missing'],
  ] as const)('%s', (job, finding) => {
    expect(plotOf(RHYTHM_JOBS[job]).finding).toBe(finding)
  })

  const nightly = (runs: RhythmJob['runs'], tz = 'Europe/Riga'): RhythmJob => ({
    name: 'Backup',
    settings: { kind: 'cron', schedule: '0 3 * * *', tz, graceSeconds: 1_800 },
    runs,
  })
  const comesAt = (schedule: string, zone: string, days: number) =>
    times(schedule, zone, days).map((at) => ({ at, takes: 5 }))

  test('all went well', () => {
    expect(plotOf(nightly(comesAt('0 3 * * *', 'Europe/Riga', 20))).finding).toBe('all 20 runs went as expected')
  })

  test('a job that comes each day before it is expected is early', () => {
    const plot = plotOf(nightly(comesAt('0 1 * * *', 'Europe/Riga', 20)))
    expect(plot.finding).toBe('every run started early: at 01:00, 23:00 UTC; expected at 03:00')
  })

  test('without a change of clocks the time is told in UTC too', () => {
    const plot = plotOf(nightly(comesAt('0 3 * * *', 'UTC', 20)))
    expect(plot.finding).toBe('every run started late: at 05:00, 03:00 UTC; expected at 03:00')
  })

  test('a job that is late by chance has no time', () => {
    const runs = times('0 3 * * *', 'Europe/Riga', 20).map((at, index) => ({
      at: at + (40 + index * 7) * MINUTE,
      takes: 5,
    }))
    expect(plotOf(nightly(runs)).finding).toBe('every run started late: by 47 min to 2 h 53 min; expected at 03:00')
  })

  test('a job that comes on more days than it is expected', () => {
    const { finding } = plotOf({
      name: 'Manifest',
      settings: { kind: 'cron', schedule: '0 15 * * 1-5', tz: 'Europe/Riga', graceSeconds: 900 },
      runs: comesAt('0 15 * * *', 'Europe/Riga', 40),
    })
    expect(finding).toBe('21 of 29 runs went as expected, 8 on days on which none is expected')
  })

  test('an interval is named', () => {
    const runs = times('0 */2 * * *', 'UTC', 5).map((at) => ({ at, takes: 0 }))
    const plot = plotOf({ name: 'Queue', settings: { kind: 'simple', timeoutSeconds: 7_200, graceSeconds: 600 }, runs })
    expect(plot.finding).toBe('all 60 runs went as expected, every 2 hours')
  })
})

describe('the marks', () => {
  test.each([
    ['healthy', { ran: 27, failed: 1, slow: 1, missing: 1 }],
    ['shifted', { late: 29, missing: 1 }],
    ['slow', { late: 25, ran: 5 }],
    ['weekdays', { ran: 21, missing: 8 }],
    ['flapping', { ran: 144, failed: 33 }],
    ['weekly', { ran: 10, failed: 1, missing: 1 }],
  ] as const)('of %s', (job, expected) => {
    expect(kinds(timePlot(RHYTHM_JOBS[job]))).toEqual(expected)
  })

  test('reach from the start of a run to its end, and of a missing one over the grace time', () => {
    const { marks, axis } = timePlot(RHYTHM_JOBS.healthy)
    expect(axis).toEqual({ kind: 'day', from: 90, length: 90, step: 30 })
    expect(marks.at(-1)).toMatchObject({ kind: 'slow', column: 29, until: expect.closeTo(68.3, 1) })
    expect(marks.find(({ kind }) => kind === 'missing')).toMatchObject({ from: 30, until: 75 })
  })

  test.each([
    [600, { kind: 'late', column: 27, from: 90, until: 90, edge: 'below' }],
    [-300, { kind: 'ran', column: 27, from: 0, until: 0, edge: 'above' }],
  ] as const)('outside the window they are at its edge: %p minutes', (minutes, mark) => {
    const { runs } = RHYTHM_JOBS.healthy
    const moved = runs.map((run, index) =>
      index === runs.length - 3 ? { ...run, at: run.at + minutes * MINUTE } : run,
    )
    const { marks } = timePlot({ ...RHYTHM_JOBS.healthy, runs: moved })
    expect(marks.filter(({ edge }) => edge !== null)).toEqual([mark])
    expect(timePlot({ ...RHYTHM_JOBS.healthy, runs: moved }, {}, { isWhole: true }).axis.length).toBe(1_440)
  })

  test('move when clocks change for a job that follows another clock', () => {
    const { marks, changes } = timePlot(RHYTHM_JOBS.shifted)
    const late = marks.filter(({ kind }) => kind === 'late')
    expect(changes).toMatchObject([{ column: 6, hours: -1 }])
    expect([late[5], late[7]].map((mark) => Math.round(mark?.from ?? 0))).toEqual([151, 91])
  })
})

describe('what was expected', () => {
  test('is a line over all days, with the grace time', () => {
    expect(timePlot(RHYTHM_JOBS.healthy).lines).toEqual([{ from: 0, until: 30, minute: 30, grace: 45 }])
  })

  test('is broken on days without a run', () => {
    const invoices = {
      ...RHYTHM_JOBS.weekdays,
      settings: { ...RHYTHM_JOBS.weekdays.settings, schedule: '0 18 * * 1-5' },
    }
    expect(timePlot(invoices).lines.map(({ from, until }) => [from, until])).toEqual([
      [0, 5],
      [7, 12],
      [14, 19],
      [21, 26],
      [28, 30],
    ])
  })

  test('is stepped where the schedule was changed', () => {
    const [now] = factsOf(RHYTHM_JOBS.healthy).timings
    const since = MORNING - 10 * DAY
    const timings = [
      { ...now, schedule: '30 2 * * *', graceSeconds: 600 },
      { ...now, since },
    ] as const
    expect(timePlot(RHYTHM_JOBS.healthy, { timings }).lines).toEqual([
      { from: 0, until: 20, minute: 60, grace: 10 },
      { from: 20, until: 30, minute: 30, grace: 45 },
    ])
  })

  test('begins where runs are known', () => {
    expect(timePlot(RHYTHM_JOBS.healthy, {}, { days: 90 }).lines).toEqual([
      { from: 50, until: 90, minute: 30, grace: 45 },
    ])
  })

  test('has a gap where the check was paused', () => {
    const pauses = [{ from: MORNING - 6 * DAY, until: MORNING - 4 * DAY }]
    const { lines, columns } = timePlot(RHYTHM_JOBS.healthy, { pauses })
    expect(lines.map(({ from, until }) => [from, until])).toEqual([
      [0, 23],
      [25, 30],
    ])
    expect(columns.filter(({ look }) => look === 'paused')).toHaveLength(2)
  })

  test('by an interval is a tick for each run', () => {
    const runs = times('0 */6 * * *', 'UTC', 5).map((at) => ({ at: at + 10 * MINUTE, takes: 0 }))
    const { lines, ticks } = timePlot({
      name: 'Q',
      settings: { kind: 'simple', timeoutSeconds: 21_600, graceSeconds: 600 },
      runs,
    })
    expect(lines).toEqual([])
    expect(ticks).toHaveLength(runs.length)
  })
})

test('a day on which Overdue was away is told', () => {
  const outages = [{ from: MORNING - 3 * DAY, until: MORNING - 3 * DAY + 20 * MINUTE }]
  expect(
    timePlot(RHYTHM_JOBS.healthy, { outages })
      .columns.map(({ look }) => look)
      .indexOf('away'),
  ).toBe(26)
})

test('another zone moves the marks, not the days that they are known for', () => {
  const { axis, finding } = timePlot(RHYTHM_JOBS.shifted, {}, { tz: 'UTC' })
  expect(axis.from).toBe(30)
  expect(finding).toStartWith('every run started late: at 03:00; expected at 0')
})

test('a weekly job has weeks across', () => {
  const { axis, columns } = timePlot(RHYTHM_JOBS.weekly)
  expect(axis.kind).toBe('week')
  expect(columns).toHaveLength(13)
  expect(new Date(columns[0]?.reading ?? 0).getUTCDay()).toBe(1)
})

describe('a frequent job', () => {
  test('has a square for each part of the hour, as large as the share of hours in which it came', () => {
    const { squares, axis } = hourPlot(RHYTHM_JOBS.frequent)
    expect(axis.rows).toBe(12)
    const shares = [26, 27, 28, 29].map((day) =>
      squares.filter(({ column }) => column === day).map(({ share }) => share),
    )
    expect(shares.map(({ length }) => length)).toEqual([12, 12, 12, 12])
    expect(shares.map((of) => Math.max(...of))).toEqual([1, expect.closeTo(17 / 24, 1), 1, 1])
  })

  test('tells which parts of the hour failed', () => {
    const runs = RHYTHM_JOBS.frequent.runs.map((run) => ({ ...run, fails: run.at % (60 * MINUTE) === 0 }))
    const { squares, finding } = hourPlot({ ...RHYTHM_JOBS.frequent, runs })
    expect(new Set(squares.filter(({ isFailed }) => isFailed).map(({ row }) => row))).toEqual(new Set([0]))
    expect(finding).toMatch(/; \d+ of \d+ runs failed$/)
  })
})

test('before the first timing that is known nothing is late or missing', () => {
  const { check, pings, flips } = historyOf(RHYTHM_JOBS.shifted)
  const { kind, timeoutSeconds, schedule, tz, graceSeconds } = check
  const timing = { kind, timeoutSeconds, schedule, tz, graceSeconds, since: MORNING - 5 * DAY }
  const runs = plotRuns({ check, pings, flips, usual: null }, [timing], Temporal.Instant.fromEpochMilliseconds(MORNING))
  const of = (isBefore: boolean) =>
    new Set(runs.filter(({ began }) => began < timing.since === isBefore).map((run) => run.kind))
  expect([...of(true)]).toEqual(['ran'])
  expect([...of(false)]).toEqual(['late'])
})

test('two runs have no rhythm', () => {
  const job = { ...RHYTHM_JOBS.healthy, runs: RHYTHM_JOBS.healthy.runs.slice(-2) }
  expect(rhythmPlot(factsOf(job), { tz: 'UTC', days: 30, isWhole: false }, MORNING)).toEqual({ tooFew: 2 })
})

describe('a muted stretch', () => {
  const muted = (from: number, until: number) => ({
    muted: [{ from: MORNING - from, until: MORNING - until, silence: aSilence() }],
  })
  const columnsOf = (plot: RhythmPlot) => plot.columns.flatMap(({ isMuted }, index) => (isMuted ? [index] : []))

  test('marks the days that it is a part of, and judges no run', () => {
    const plain = timePlot(RHYTHM_JOBS.flapping)
    const plot = timePlot(RHYTHM_JOBS.flapping, muted(3 * DAY, 2 * DAY))
    expect(columnsOf(plot)).toEqual([26, 27])
    expect([plot.marks, plot.finding]).toEqual([plain.marks, plain.finding])
    expect([plot.muted.length, plain.muted.length]).toEqual([1, 0])
  })

  test('before the days that are shown is left out', () => {
    const plot = timePlot(RHYTHM_JOBS.healthy, muted(50 * DAY, 40 * DAY))
    expect([plot.muted, columnsOf(plot)]).toEqual([[], []])
  })

  test('is shown over the minutes of the hour, too', () => {
    expect(columnsOf(hourPlot(RHYTHM_JOBS.frequent, muted(DAY, 0)))).toEqual([28, 29])
  })
})
