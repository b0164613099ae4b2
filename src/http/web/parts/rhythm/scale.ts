/** A rhythm plot's coordinates, in SVG units. */
import type { RhythmPlot } from '../../../../domain/rhythm-plot/rhythm-plot.ts'

/**
 * Width of the plot area on a full page or half a page. The axis is to the right of the plot area, the line for clock changes is above it,
 * and the days are below it.
 */
const WIDTHS = { page: 536, half: 402 } as const
export type PlotWidth = keyof typeof WIDTHS

export const TOP = 20
const HEIGHT = 172
export const BASE = TOP + HEIGHT
/** The margins to the right of the plot area and below it. */
export const MARGINS = { end: 44, below: 26 } as const

export interface Scale {
  /** width of the plot area */
  readonly across: number
  /** distance from one column to the next */
  readonly pitch: number
  /** width of the bars */
  readonly width: number
  /** returns the horizontal center of a column */
  readonly x: (column: number) => number
  /** returns the left edge of a column */
  readonly left: (column: number) => number
  /** returns the vertical position of a minute or a row, measured from the top of the axis */
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

/** Rounds to tenths, which are precise enough and keep the HTML short. */
export function round(value: number): number {
  return Math.round(value * 10) / 10
}
