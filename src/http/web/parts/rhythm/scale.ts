/** The coordinates of a rhythm plot, in units of its drawing. */
import type { RhythmPlot } from '../../../../domain/rhythm-plot/rhythm-plot.ts'

/** The width of the plot itself, on a whole or half page. Its axis is next to it, a line for clock changes above it, the days below it. */
const WIDTHS = { page: 536, half: 402 } as const
export type PlotWidth = keyof typeof WIDTHS

export const TOP = 20
const HEIGHT = 172
export const BASE = TOP + HEIGHT
/** The margins of the whole drawing, next to and below the plot. */
export const MARGINS = { end: 44, below: 26 } as const

export interface Scale {
  /** width of the plot */
  readonly across: number
  /** distance from one column to the next */
  readonly pitch: number
  /** width of the bars */
  readonly width: number
  /** the middle of a column */
  readonly x: (column: number) => number
  /** the left edge of a column */
  readonly left: (column: number) => number
  /** position of minutes below the upper edge of the axis, or of rows */
  readonly y: (down: number) => number
}

const BAR = 0.42
const THINNEST = 3
const THICKEST = 8

export function scaleOf({ columns, axis }: Pick<RhythmPlot, 'columns' | 'axis'>, width: PlotWidth): Scale {
  const across = WIDTHS[width]
  const pitch = across / columns.length
  const length = axis.kind === 'hour' ? axis.rows : axis.length
  return {
    across,
    pitch,
    width: round(Math.min(THICKEST, Math.max(THINNEST, pitch * BAR))),
    x: (column) => round((column + 0.5) * pitch),
    left: (column) => round(column * pitch),
    y: (down) => round(TOP + (down / length) * HEIGHT),
  }
}

/** Rounds to tenths, which are exact enough, and short. */
export function round(value: number): number {
  return Math.round(value * 10) / 10
}
