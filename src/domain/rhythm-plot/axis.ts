/** The axis down the side of a rhythm plot, and how much of the day it shows. */
import { upperMedian } from '../../lib/figures/statistics.ts'
import { denseArc, modulo } from '../preview/dense-arc.ts'
import { MINUTE } from '../units.ts'

export type RhythmAxis = TimeAxis | HourAxis

/** Time down, a day or a week in a column. All in minutes. */
export interface TimeAxis {
  readonly kind: 'day' | 'week'
  /** where the column begins: after the midnight that begins its day or its Monday, before it if negative */
  readonly from: number
  /** how much of the column is shown */
  readonly length: number
  /** between two marks */
  readonly step: number
}

/** The minute of the hour down, in rows. */
export interface HourAxis {
  readonly kind: 'hour'
  readonly rows: 12 | 60
}

export const DAY_MINUTES = 1_440
export const WEEK_MINUTES = 7 * DAY_MINUTES
const WEEKLY_FROM = 6 * DAY_MINUTES
const HOURLY_BELOW = 60
const EACH_MINUTE_BELOW = 5

/** @param gap the median of the minutes from one run to the next */
export function axisKind(gap: number): RhythmAxis['kind'] {
  return gap >= WEEKLY_FROM ? 'week' : gap < HOURLY_BELOW ? 'hour' : 'day'
}

export const WEEK_AXIS: TimeAxis = { kind: 'week', from: 0, length: WEEK_MINUTES, step: DAY_MINUTES }
export const WHOLE_DAY: TimeAxis = { kind: 'day', from: 0, length: DAY_MINUTES, step: 240 }

export function hourAxis(gap: number): HourAxis {
  return { kind: 'hour', rows: gap < EACH_MINUTE_BELOW ? 60 : 12 }
}

/** Minutes from the beginning of a run to that of the next, as a median. @param began milliseconds, in order, of two runs at least */
export function medianGap(began: readonly number[]): number {
  const gaps = began.slice(1).map((at, index) => at - (began[index] ?? at))
  return (upperMedian(gaps) ?? 0) / MINUTE
}

/** A stretch of the day in minutes; it may reach over midnight. */
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
/** A run that comes a little before the full hour needs no more air. */
const AIR_TOLERANCE = 5
const SHARE_OF_RUNS = 0.95

/**
 * The smallest window that holds what is expected, and 95 % of the runs.
 * @param expected from the expected time to the end of its grace time
 * @param runs from their beginning to their end
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

/** The shortest stretch that holds all of some; null when that is no less than the day. It begins on the day itself. */
function coverOf(spans: readonly DaySpan[]): DaySpan | null {
  const sorted = spans
    .map(({ from, length }) => ({ from: modulo(from, DAY_MINUTES), length }))
    .sort((a, b) => a.from - b.from)
  const [first] = sorted
  if (first === undefined) return null
  let widest = { from: 0, free: 0 }
  // What reaches over midnight covers the morning too.
  let reached = Math.max(...sorted.map(({ from, length }) => from + length)) - DAY_MINUTES
  for (const { from, length } of sorted) {
    if (from - reached > widest.free) widest = { from, free: from - reached }
    reached = Math.max(reached, from + length)
  }
  return widest.free <= 0 ? null : { from: widest.from, length: DAY_MINUTES - widest.free }
}
