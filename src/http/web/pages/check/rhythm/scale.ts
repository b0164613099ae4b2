/** The places of things of a rhythm plot in its drawing, in its units. */
import type { RhythmPlot } from '../../../../../domain/rhythm-plot/rhythm-plot.ts'

/** The plot itself; beside it is its axis, above it a line for clock changes, below it the days. */
export const WIDTH = 536
export const TOP = 20
const HEIGHT = 172
export const BASE = TOP + HEIGHT
export const DRAWING = { width: WIDTH + 44, height: BASE + 26 }

export interface Scale {
  /** from one column to the next */
  readonly pitch: number
  /** of the bars */
  readonly width: number
  /** the middle of a column */
  readonly x: (column: number) => number
  /** the left edge of a column */
  readonly left: (column: number) => number
  /** of minutes below the upper edge of the axis, or of rows */
  readonly y: (down: number) => number
}

const BAR = 0.42
const THINNEST = 3
const THICKEST = 8

export function scaleOf({ columns, axis }: Pick<RhythmPlot, 'columns' | 'axis'>): Scale {
  const pitch = WIDTH / columns.length
  const length = axis.kind === 'hour' ? axis.rows : axis.length
  return {
    pitch,
    width: round(Math.min(THICKEST, Math.max(THINNEST, pitch * BAR))),
    x: (column) => round((column + 0.5) * pitch),
    left: (column) => round(column * pitch),
    y: (down) => round(TOP + (down / length) * HEIGHT),
  }
}

/** Tenths are exact enough, and short. */
export function round(value: number): number {
  return Math.round(value * 10) / 10
}
