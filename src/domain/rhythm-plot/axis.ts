/** The vertical axis of a rhythm plot, and the part of the day that it shows. */
import { upperMedian } from '../../lib/figures/statistics.ts'
import { denseArc, modulo } from '../preview/dense-arc.ts'
import { MINUTE } from '../units.ts'

export type RhythmAxis = TimeAxis | HourAxis

/** An axis of time, a day or a week for each column. All in minutes. */
export interface TimeAxis {
  readonly kind: 'day' | 'week'
  /** beginning of the column, counted from the midnight that begins its day or its Monday; negative: before that midnight */
  readonly from: number
  /** shown part of the column */
  readonly length: number
  /** distance of marks */
  readonly step: number
}

/** An axis of the minute of the hour, in rows. */
export interface HourAxis {
  readonly kind: 'hour'
  readonly rows: 12 | 60
}

export const DAY_MINUTES = 1_440
export const WEEK_MINUTES = 7 * DAY_MINUTES
const WEEKLY_FROM = 6 * DAY_MINUTES
const HOURLY_BELOW = 60
const EACH_MINUTE_BELOW = 5

/** @param gap median of the minutes from one run to the next */
export function axisKind(gap: number): RhythmAxis['kind'] {
  return gap >= WEEKLY_FROM ? 'week' : gap < HOURLY_BELOW ? 'hour' : 'day'
}

export const WEEK_AXIS: TimeAxis = { kind: 'week', from: 0, length: WEEK_MINUTES, step: DAY_MINUTES }
export const WHOLE_DAY: TimeAxis = { kind: 'day', from: 0, length: DAY_MINUTES, step: 240 }

export function hourAxis(gap: number): HourAxis {
  return { kind: 'hour', rows: gap < EACH_MINUTE_BELOW ? 60 : 12 }
}

/**
 * Returns the median of the minutes from the beginning of a run to the beginning of the next.
 * @param began milliseconds, in order, of two runs at least
 */
export function medianGap(began: readonly number[]): number {
  const gaps = began.slice(1).map((at, index) => at - (began[index] ?? at))
  return (upperMedian(gaps) ?? 0) / MINUTE
}

/** A stretch of the day in minutes; it may extend over midnight. */
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
/** A run a little before the full hour needs no further room. */
const AIR_TOLERANCE = 5
const SHARE_OF_RUNS = 0.95

/**
 * Returns the smallest window that contains the expected times, and 95 % of the runs.
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

/** Returns the shortest stretch that contains all of the given ones; null if it is as long as the day. Its beginning is within the day. */
function coverOf(spans: readonly DaySpan[]): DaySpan | null {
  const sorted = spans
    .map(({ from, length }) => ({ from: modulo(from, DAY_MINUTES), length }))
    .sort((a, b) => a.from - b.from)
  const [first] = sorted
  if (first === undefined) return null
  let widest = { from: 0, free: 0 }
  // A stretch over midnight covers the morning too.
  let reached = Math.max(...sorted.map(({ from, length }) => from + length)) - DAY_MINUTES
  for (const { from, length } of sorted) {
    if (from - reached > widest.free) widest = { from, free: from - reached }
    reached = Math.max(reached, from + length)
  }
  return widest.free <= 0 ? null : { from: widest.from, length: DAY_MINUTES - widest.free }
}
