/**
 * A check's rhythm plot, with days on the horizontal axis and the time of day on the vertical axis. It shows the check's runs and their
 * expected times.
 */
import type { MutedStretch } from '../silence/muted-stretch.ts'
import { DAY, MINUTE } from '../units.ts'
import { axisKind, dayAxis, type HourAxis, hourAxis, medianGap, type TimeAxis, WEEK_AXIS, WHOLE_DAY } from './axis.ts'
import { type Column, type Grid, gridOf, type Place } from './columns.ts'
import { type ExpectedLine, linesOf, type Slot, slotsOf, ticksOf } from './expected.ts'
import type { PastDay, PlotRun, RhythmFacts } from './facts.ts'
import { findingOf } from './finding.ts'
import { type Mark, marksOf } from './marks.ts'
import { countsOf, daysBefore, pastRuns } from './past-days.ts'
import { type Square, squaresOf } from './squares.ts'
import { type ZoneClock, zoneClock } from './zone-clock.ts'

/** A clock change. */
interface PlotChange {
  /** column of the day or week in which clocks change */
  readonly column: number
  /** local time after the change, encoded as described in `ZoneClock` */
  readonly reading: number
  /** hours by which clocks go forward; negative if they go back */
  readonly hours: number
}

interface CommonPlot {
  /** IANA name of the plot's time zone */
  readonly tz: string
  readonly columns: readonly Column[]
  readonly changes: readonly PlotChange[]
  /** all runs in the plotted period, oldest first */
  readonly runs: readonly PlotRun[]
  /** daily counts of the days before the log begins, oldest first; they may count more runs than can be drawn */
  readonly days: readonly PastDay[]
  /** periods when the check was muted, oldest first */
  readonly muted: readonly MutedStretch[]
  /** median time between runs, in milliseconds */
  readonly gap: number
  /** sentence about the plot, without a trailing period */
  readonly finding: string
}

/** A plot for a job that runs at most once an hour. */
export interface TimePlot extends CommonPlot {
  readonly axis: TimeAxis
  readonly marks: readonly Mark[]
  readonly lines: readonly ExpectedLine[]
  /** positions at which a simple check's runs were expected */
  readonly ticks: readonly Place[]
}

/** A plot for a job that runs more than once an hour. */
export interface HourPlot extends CommonPlot {
  readonly axis: HourAxis
  readonly squares: readonly Square[]
}

export type RhythmPlot = TimePlot | HourPlot

/** Returned instead of a plot if there are too few runs to form a rhythm. */
export interface TooFewRuns {
  readonly tooFew: number
}

export interface PlotView {
  /** IANA name of the plot's time zone */
  readonly tz: string
  readonly days: 30 | 90
  /** true if the plot shows the whole day even if the runs need less space */
  readonly isWhole: boolean
}

/** Minimum share of runs in a square that must have failed for the square to be shown as failed. */
const MOSTLY = 0.5
/** Minimum number of runs for a plot. Fewer runs don't form a rhythm. */
const RUNS_NEEDED = 3
/** Length of the period that a plot of weeks covers: thirteen weeks and the current week. */
const WEEKS = 14 * 7 * DAY

export function rhythmPlot(facts: RhythmFacts, view: PlotView, now: number): RhythmPlot | TooFewRuns {
  const { timings, runs: logged } = facts
  const past = daysBefore(facts.days, logged)
  const began = [
    ...past.flatMap((day) => day.began),
    ...logged.filter(({ kind }) => kind !== 'missing').map((run) => run.began),
  ]
  if (began.length < RUNS_NEEDED) return { tooFew: began.length }
  const gap = medianGap(began)
  const since = now - (axisKind(gap) === 'week' ? WEEKS : view.days * DAY + DAY)
  const clock = zoneClock(view.tz, since - DAY, now + DAY)
  const slots = axisKind(gap) === 'hour' ? [] : slotsOf(timings, since, now + DAY)
  const drawn = pastRuns(past, slots, axisKind(gap) === 'hour' ? MOSTLY : 1)
  const runs = [...drawn, ...logged]
  const axis = axisOf(gap, runs, slots, view, clock, now)
  const grid = gridOf(axis, view.days, clock, now, facts)
  const shown = runs.filter(({ began }) => isShown(began, grid))
  const days = past.filter((day) => isDayShown(day, grid))
  const counts = countsOf(
    logged.filter((run) => isShown(run.began, grid)),
    days,
  )
  const extra = axis.kind === 'day' ? extraRuns(shown, slots, grid) : 0
  const timing = timings.at(-1) ?? timings[0]
  const common = {
    tz: view.tz,
    columns: grid.columns,
    changes: changesOf(clock, grid),
    runs: shown,
    days,
    muted: facts.muted.filter(({ until }) => grid.place(until - 1).column >= 0),
    gap: gap * MINUTE,
    finding: findingOf({ runs: shown, counts, days, axis, timing, gap, tz: view.tz, clock, extra }),
  }
  if (axis.kind === 'hour') return { ...common, axis, squares: squaresOf(shown, axis, grid, now) }
  return {
    ...common,
    axis,
    marks: marksOf(shown, axis, grid),
    lines: linesOf(slots, runs[0]?.began ?? now, grid),
    ticks: ticksOf(timing, shown, grid).filter(({ minute }) => minute >= 0 && minute <= axis.length),
  }
}

function extraRuns(runs: readonly PlotRun[], slots: readonly Slot[], { place }: Grid): number {
  const expected = new Set(slots.map(({ at }) => place(at).column))
  const first = Math.min(...expected)
  return runs.map(({ began }) => place(began).column).filter((column) => column > first && !expected.has(column)).length
}

function axisOf(
  gap: number,
  runs: readonly PlotRun[],
  slots: readonly Slot[],
  { days, isWhole }: PlotView,
  clock: ZoneClock,
  now: number,
): TimeAxis | HourAxis {
  const kind = axisKind(gap)
  if (kind === 'week') return WEEK_AXIS
  if (kind === 'hour') return hourAxis(gap)
  if (isWhole) return WHOLE_DAY
  const since = now - days * DAY
  const minuteOf = (at: number) => (clock.reading(at) % DAY) / MINUTE
  const expected = slots.filter(({ at }) => at >= since).map(({ at, grace }) => ({ from: minuteOf(at), length: grace }))
  const came = runs
    .filter(({ kind: each, began }) => each !== 'missing' && began >= since)
    .map(({ began, ended }) => ({ from: minuteOf(began), length: (ended - began) / MINUTE }))
  return dayAxis(expected, came)
}

function isShown(at: number, { place, columns }: Grid): boolean {
  const { column } = place(at)
  return column >= 0 && column < columns.length
}

function isDayShown({ began, from, until }: PastDay, grid: Grid): boolean {
  return began.length === 0 ? isShown((from + until) / 2, grid) : began.some((at) => isShown(at, grid))
}

function changesOf(clock: ZoneClock, grid: Grid): readonly PlotChange[] {
  return clock.changes
    .filter(({ at }) => isShown(at, grid))
    .map(({ at, hours }) => ({ column: grid.place(at).column, reading: clock.reading(at), hours }))
}
