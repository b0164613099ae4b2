/** The places of things of a rhythm plot in its drawing, in its units. */
import type { RhythmPlot } from '../../../../domain/rhythm-plot/rhythm-plot.ts'

/** The width of the plot itself: over a page, and over half of one. Beside it is its axis, above it a line for clock changes, below it the days. */
const WIDTHS = { page: 536, half: 402 } as const
export type PlotWidth = keyof typeof WIDTHS

export const TOP = 20
const HEIGHT = 172
export const BASE = TOP + HEIGHT
/** The margins of the whole drawing, beside and below the plot. */
export const MARGINS = { end: 44, below: 26 } as const

export interface Scale {
  /** of the plot */
  readonly across: number
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

/** Tenths are exact enough, and short. */
export function round(value: number): number {
  return Math.round(value * 10) / 10
}
