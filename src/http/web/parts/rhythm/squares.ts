/**
 * The squares in a rhythm plot. They are drawn as dashed lines across consecutive columns, because separate squares would make the page too
 * large.
 */
import type { HourAxis } from '../../../../domain/rhythm-plot/axis.ts'
import type { Square } from '../../../../domain/rhythm-plot/squares.ts'
import { type Html, html } from '../../html.ts'
import { round, type Scale } from './scale.ts'
import { stretchesOf } from './stretches.ts'

/** Height of the square for all 24 hours, as a fraction of the row's height. */
const FULL = 0.78
/** Height of the flat bar for failed runs, as a fraction of the square's height. */
const FLAT = 0.3

export function drawSquares(squares: readonly Square[], axis: HourAxis, scale: Scale): Html {
  const bySize = Map.groupBy(squares, ({ share, isFailed }) => `${Math.round(share * 24)} ${isFailed}`)
  return html`${[...bySize.values()].map((some) => drawSize(some, axis, scale))}`
}

/** Draws squares of the same size, row by row. @param squares squares of the same size */
function drawSize(squares: readonly Square[], { rows }: HourAxis, scale: Scale): Html | null {
  const [first] = squares
  if (!first) return null
  const height = (scale.y(rows) - scale.y(0)) / rows
  const side = Math.min(scale.pitch, height) * FULL
  // A flat bar is not tall enough to be shrunk in both directions.
  const isLow = height < scale.pitch / 2
  const dash = isLow ? scale.pitch * FULL * first.share : side * Math.sqrt(first.share)
  const stroke = (isLow ? side : dash) * (first.isFailed ? FLAT : 1)
  const rowsOfIt = [...Map.groupBy(squares, ({ row }) => row)].flatMap(([row, some]) => {
    return stretchesOf(some.map(({ column }) => column)).map(([first, last]) => {
      return `M${round((first + 0.5) * scale.pitch - dash / 2)} ${scale.y(row + 0.5)}h${round((last - first) * scale.pitch + dash)}`
    })
  })
  const dashes = `${round(dash)} ${scale.pitch - round(dash)}`
  return html`<path class="${first.isFailed ? 'fl' : 'ok'}" stroke-width="${Math.max(1, round(stroke))}" stroke-dasharray="${dashes}" d="${rowsOfIt.join('')}"/>`
}
