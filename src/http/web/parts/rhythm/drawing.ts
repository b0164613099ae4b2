/**
 * A rhythm plot, drawn by the server. Days run from left to right, and the time of day from top to bottom. Each run has a mark, next to the
 * line for its expected time.
 */
import { modulo } from '../../../../domain/preview/dense-arc.ts'
import type { RhythmPlot, TimePlot } from '../../../../domain/rhythm-plot/rhythm-plot.ts'
import { type Html, html } from '../../html.ts'
import { dayOf, WEEKDAYS } from './days.ts'
import { drawMarks } from './marks.ts'
import { BASE, MARGINS, type PlotWidth, round, type Scale, scaleOf, TOP } from './scale.ts'
import { drawSquares } from './squares.ts'
import { stretchesOf } from './stretches.ts'

/** Draws a rhythm plot. @param name the image's text alternative */
export function rhythmDrawing(plot: RhythmPlot, name: string, width: PlotWidth): Html {
  const scale = scaleOf(plot, width)
  return html`<svg class="${width === 'half' ? 'rhythm half' : 'rhythm'}" viewBox="0 0 ${scale.across + MARGINS.end} ${BASE + MARGINS.below}" role="img" aria-label="${name}">${
    'squares' in plot
      ? html`${hourGrid(plot.axis.rows, scale)}${drawColumns(plot, scale)}${changes(plot, scale)}${drawSquares(plot.squares, plot.axis, scale)}`
      : html`${bands(plot, scale)}${timeGrid(plot, scale)}${drawColumns(plot, scale)}${drawExpected(plot, scale)}${changes(plot, scale)}${drawMarks(plot.marks, scale)}`
  }${labels(plot, scale)}</svg>`
}

/** Draws the marks for entire days: weekends, pauses, mutes, and Overdue's own outages. */
function drawColumns({ columns }: RhythmPlot, { left, x, pitch }: Scale): Html {
  const stroke = (
    name: string,
    heights: readonly number[],
    isMeant: (column: RhythmPlot['columns'][number]) => boolean,
  ) => {
    const meant = stretchesOf(columns.flatMap((column, index) => (isMeant(column) ? [index] : [])))
    const drawn = heights.flatMap((y) =>
      meant.map(([first, last]) => `M${round(left(first) + 1)} ${y}H${round(left(last + 1) - 1)}`),
    )
    return drawn.length > 0 && html`<path class="${name}" d="${drawn.join('')}"/>`
  }
  // The stripes are the dashes of a line that is as wide as a day's column.
  const away = columns.map(({ look }, index) => (look === 'away' ? `M${x(index)} ${TOP}V${BASE}` : '')).join('')
  const hatched = away !== '' && html`<path class="away" stroke-width="${round(pitch)}" d="${away}"/>`
  return html`${hatched}${stroke('wkd', [BASE + 4], ({ isWeekend }) => isWeekend)}${stroke('ps', [(TOP + BASE) / 2], ({ look }) => look === 'paused')}${stroke('mu', [TOP - 6.5, TOP - 2.5], ({ isMuted }) => isMuted)}`
}

function bands({ lines, axis }: TimePlot, { left, y }: Scale): Html | null {
  const drawn = lines.map(({ from, until, minute, grace }) => {
    const [top, end] = [y(Math.max(0, minute)), y(Math.min(axis.length, minute + grace))]
    return `M${left(from)} ${top}H${left(until)}V${end}H${left(from)}z`
  })
  return drawn.length === 0 ? null : html`<path class="band" d="${drawn.join('')}"/>`
}

/** Number of lines per day above which the lines are drawn thin. */
const FEW = 2

function drawExpected({ lines, ticks, columns }: TimePlot, { left, x, y }: Scale): Html {
  const isMany = lines.reduce((sum, { from, until }) => sum + until - from, 0) > FEW * columns.length
  const drawn = lines.map(({ from, until, minute }) => `M${left(from)} ${y(minute)}H${left(until)}`).join('')
  const ticked = ticks.map(({ column, minute }) => `M${round(x(column) - 5)} ${y(minute)}h3`).join('')
  return html`${drawn !== '' && html`<path class="${isMany ? 'thin' : 'sched'}" d="${drawn}"/>`}${ticked !== '' && html`<path class="sched" d="${ticked}"/>`}`
}

/** Distance from the plot to its axis labels. */
const AXIS = 8

function timeGrid({ axis }: TimePlot, { y, across }: Scale): Html {
  const count = Math.floor(axis.length / axis.step)
  const marks = Array.from({ length: count + 1 }, (_, index) => {
    const height = y(index * axis.step)
    const text = axis.kind === 'week' ? (WEEKDAYS[index] ?? '') : clockOf(axis.from + index * axis.step)
    return html`<path class="grid" d="M0 ${height}H${across}"/>${text !== '' && html`<text x="${across + AXIS}" y="${round(height + (axis.kind === 'week' ? 16 : 4))}">${text}</text>`}`
  })
  return html`${marks}`
}

function hourGrid(rows: number, { y, across }: Scale): Html {
  const marks = [0, 15, 30, 45].map((minute) => {
    const height = y((minute / 60) * rows)
    return html`<path class="grid" d="M0 ${height}H${across}"/><text x="${across + AXIS}" y="${round(height + 11)}">:${String(minute).padStart(2, '0')}</text>`
  })
  return html`${marks}<path class="grid" d="M0 ${BASE}H${across}"/>`
}

/** Returns a time of day such as `04:30`. */
function clockOf(minute: number): string {
  const shown = modulo(minute, 1_440)
  return `${String(Math.floor(shown / 60)).padStart(2, '0')}:${String(shown % 60).padStart(2, '0')}`
}

function changes({ changes: found, columns }: RhythmPlot, { left }: Scale): Html {
  return html`${found.map(({ column, hours, reading }) => {
    const x = left(column)
    const isRight = column > columns.length / 2
    const words = `${dayOf({ reading }).words}, clocks ${hours > 0 ? '+' : '−'}${Math.abs(hours)} h`
    return html`<path class="chg" d="M${x} ${TOP - 6}V${BASE}"/><text${isRight && html` class="end"`} x="${round(x + (isRight ? -4 : 4))}" y="12">${words}</text>`
  })}`
}

const LABEL_EVERY = 3
const FEW_COLUMNS = 31
/** Minimum distance between two labels. */
const LABEL_WIDTH = 48

/** Labels Mondays and today. */
function labels({ columns, axis }: RhythmPlot, { x, across }: Scale): Html {
  const mondays = columns.flatMap((column, index) =>
    dayOf(column).isMonday && !column.isToday ? [{ column, index }] : [],
  )
  const every = columns.length <= FEW_COLUMNS && axis.kind !== 'week' ? 1 : LABEL_EVERY
  const today = columns.findIndex(({ isToday }) => isToday)
  const shown = mondays.toReversed().filter((_, index) => (index + 1) % every === 0)
  return html`${shown.toReversed().map(({ column, index }) => {
    const isFree = Math.abs(x(today) - x(index)) > LABEL_WIDTH && x(index) > LABEL_WIDTH / 2
    return isFree && html`<text class="mid" x="${x(index)}" y="${BASE + 20}">${dayOf(column).words}</text>`
  })}${today >= 0 && html`<text class="end" x="${across}" y="${BASE + 20}">${axis.kind === 'week' ? 'this week' : 'today'}</text>`}`
}
