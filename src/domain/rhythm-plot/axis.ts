/** A rhythm plot's vertical axis: the part of the day that the plot shows. */
import { upperMedian } from '../../lib/figures/statistics.ts'
import { denseArc, modulo } from '../preview/dense-arc.ts'
import { MINUTE } from '../units.ts'

export type RhythmAxis = TimeAxis | HourAxis

/** The time axis of a plot whose columns are days or weeks. All values are minutes. */
export interface TimeAxis {
  readonly kind: 'day' | 'week'
  /** start of each column, in minutes after midnight of its day or its Monday; negative if before midnight */
  readonly from: number
  /** length of the visible part of a column */
  readonly length: number
  /** distance between two axis marks */
  readonly step: number
}

/** An axis for the minutes of an hour, divided into rows. */
export interface HourAxis {
  readonly kind: 'hour'
  readonly rows: 12 | 60
}

export const DAY_MINUTES = 1_440
export const WEEK_MINUTES = 7 * DAY_MINUTES
const WEEKLY_FROM = 6 * DAY_MINUTES
const HOURLY_BELOW = 60
const EACH_MINUTE_BELOW = 5

/** @param gap median time between runs, in minutes */
export function axisKind(gap: number): RhythmAxis['kind'] {
  return gap >= WEEKLY_FROM ? 'week' : gap < HOURLY_BELOW ? 'hour' : 'day'
}

export const WEEK_AXIS: TimeAxis = { kind: 'week', from: 0, length: WEEK_MINUTES, step: DAY_MINUTES }
export const WHOLE_DAY: TimeAxis = { kind: 'day', from: 0, length: DAY_MINUTES, step: 240 }

export function hourAxis(gap: number): HourAxis {
  return { kind: 'hour', rows: gap < EACH_MINUTE_BELOW ? 60 : 12 }
}

/**
 * Returns the median time between the starts of consecutive runs, in minutes.
 * @param began start times of at least two runs, in milliseconds, in ascending order
 */
export function medianGap(began: readonly number[]): number {
  const gaps = began.slice(1).map((at, index) => at - (began[index] ?? at))
  return (upperMedian(gaps) ?? 0) / MINUTE
}

/** A part of the day, in minutes. It can extend past midnight. */
export interface DaySpan {
  readonly from: number
  readonly length: number
}

const WINDOWS = [
  { length: 90, step: 30 },
  { length: 120, step: 30 },
  { length: 150, step: 30 },
  { length: 180, step: 30 },
  { length: 360, step: 60 },
  { length: 720, step: 120 },
] as const
const ROUND = 30
const AIR = 30
/** Tolerance in minutes: a run that begins up to this long before the full hour needs no extra space. */
const AIR_TOLERANCE = 5
const SHARE_OF_RUNS = 0.95

/**
 * Returns the smallest window that contains the expected times and 95% of the runs.
 * @param expected spans from an expected time to the end of its grace time
 * @param runs spans from a run's start to its end
 */
export function dayAxis(expected: readonly DaySpan[], runs: readonly DaySpan[]): TimeAxis {
  const [begins, ends] = [
    denseArc(
      runs.map(({ from }) => from),
      DAY_MINUTES,
      SHARE_OF_RUNS,
    ),
    denseArc(
      runs.map(({ from, length }) => from + length),
      DAY_MINUTES,
      SHARE_OF_RUNS,
    ),
  ]
  const most = { from: begins.start, length: modulo(ends.start + ends.width - begins.start, DAY_MINUTES) }
  const held = runs.length === 0 ? expected : [...expected, most, { from: begins.start, length: begins.width }]
  const cover = coverOf(held)
  if (cover === null) return WHOLE_DAY
  const from = Math.floor((cover.from - AIR + AIR_TOLERANCE) / ROUND) * ROUND
  const window = WINDOWS.find(({ length }) => from + length >= cover.from + cover.length)
  return window ? { kind: 'day', from, ...window } : WHOLE_DAY
}

/**
 * Returns the shortest part of the day that contains all the given spans; null if that is the whole day. The start is less than a day after
 * midnight.
 */
function coverOf(spans: readonly DaySpan[]): DaySpan | null {
  const sorted = spans
    .map(({ from, length }) => ({ from: modulo(from, DAY_MINUTES), length }))
    .sort((a, b) => a.from - b.from)
  const [first] = sorted
  if (first === undefined) return null
  let widest = { from: 0, free: 0 }
  // A span that extends past midnight also covers the beginning of the day.
  let reached = Math.max(...sorted.map(({ from, length }) => from + length)) - DAY_MINUTES
  for (const { from, length } of sorted) {
    if (from - reached > widest.free) widest = { from, free: from - reached }
    reached = Math.max(reached, from + length)
  }
  return widest.free <= 0 ? null : { from: widest.from, length: DAY_MINUTES - widest.free }
}
