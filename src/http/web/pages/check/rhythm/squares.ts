/** The squares of a rhythm plot: dashes of lines over columns in a row, because each square by itself would make the page heavy. */
import type { HourAxis } from '../../../../../domain/rhythm-plot/axis.ts'
import type { Square } from '../../../../../domain/rhythm-plot/squares.ts'
import { type Html, html } from '../../../html.ts'
import { round, type Scale } from './scale.ts'

/** Share of the row, for squares of all 24 hours. */
const FULL = 0.78
/** Share of the height of a square, for one whose runs failed: a flat bar. */
const FLAT = 0.3

export function drawSquares(squares: readonly Square[], axis: HourAxis, scale: Scale): Html {
  const bySize = Map.groupBy(squares, ({ share, isFailed }) => `${Math.round(share * 24)} ${isFailed}`)
  return html`${[...bySize.values()].map((some) => drawSize(some, axis, scale))}`
}

/** @param squares of the same size, row by row */
function drawSize(squares: readonly Square[], { rows }: HourAxis, scale: Scale): Html | null {
  const [first] = squares
  if (!first) return null
  const height = (scale.y(rows) - scale.y(0)) / rows
  const side = Math.min(scale.pitch, height) * FULL
  // Too low to shrink both ways.
  const isLow = height < scale.pitch / 2
  const dash = isLow ? scale.pitch * FULL * first.share : side * Math.sqrt(first.share)
  const stroke = (isLow ? side : dash) * (first.isFailed ? FLAT : 1)
  const rowsOfIt = stretches(squares).map(({ row, from, until }) => {
    return `M${round((from + 0.5) * scale.pitch - dash / 2)} ${scale.y(row + 0.5)}h${round((until - from) * scale.pitch + dash)}`
  })
  const dashes = `${round(dash)} ${scale.pitch - round(dash)}`
  return html`<path class="${first.isFailed ? 'fl' : 'ok'}" stroke-width="${Math.max(1, round(stroke))}" stroke-dasharray="${dashes}" d="${rowsOfIt.join('')}"/>`
}

interface Stretch {
  readonly row: number
  readonly from: number
  /** the last column */
  until: number
}

function stretches(squares: readonly Square[]): readonly Stretch[] {
  const found: Stretch[] = []
  for (const { row, column } of squares) {
    const last = found.at(-1)
    if (last?.row === row && last.until === column - 1) last.until = column
    else found.push({ row, from: column, until: column })
  }
  return found
}
