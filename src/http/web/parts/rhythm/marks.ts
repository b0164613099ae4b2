/** The marks in a rhythm plot, with one path for each kind. Each kind has its own shape, so that readers can recognize it without color. */
import type { Mark } from '../../../../domain/rhythm-plot/marks.ts'
import { type Html, html } from '../../html.ts'
import { BASE, round, type Scale, TOP } from './scale.ts'
import { stretchesOf } from './stretches.ts'

/** Height of the bar for a run whose duration is unknown. */
const UNTIMED = 6
/** Minimum height of a bar. A shorter bar would not be visible next to a line. */
const SHORTEST = 5

const BARS = { ran: 'ok', slow: 'lt', late: 'lt', failed: 'fl' } as const

export function drawMarks(marks: readonly Mark[], scale: Scale): Html {
  const inside = marks.filter(({ edge }) => edge === null)
  const of = (...kinds: readonly Mark['kind'][]) => inside.filter(({ kind }) => kinds.includes(kind))
  const width = scale.width
  const bars = (['ok', 'lt', 'fl'] as const).map((look) => {
    const some = inside.filter(({ kind }) => kind !== 'missing' && BARS[kind] === look)
    const { high = [], low = [] } = Object.groupBy(some, (mark) => (heightOf(mark, scale) > UNTIMED ? 'high' : 'low'))
    return html`${path(look, high.map((mark) => bar(mark, scale)).join(''), width)}${dashes(look, low, scale)}`
  })
  return html`${bars}${path(
    'tri',
    of('late')
      .map((mark) => triangle(mark, scale))
      .join(''),
  )}${path(
    'foot',
    of('slow')
      .map((mark) => foot(mark, scale))
      .join(''),
  )}${path(
    'fx',
    of('failed')
      .map((mark) => cross(mark, scale))
      .join(''),
  )}${path(
    'ms',
    of('missing')
      .map((mark) => box(mark, scale))
      .join(''),
  )}${path('out', marks.map((mark) => arrow(mark, scale)).join(''))}`
}

function path(name: string, drawn: string, width: number | null = null): Html | null {
  if (drawn === '') return null
  return html`<path class="${name}"${width !== null && html` stroke-width="${width}"`} d="${drawn}"/>`
}

function ends({ from, until }: Mark, { y }: Scale): readonly [number, number] {
  const top = y(from)
  return from === until ? [top, round(top + UNTIMED)] : [top, Math.max(y(until), round(top + SHORTEST))]
}

function bar(mark: Mark, scale: Scale): string {
  const [top, end] = ends(mark, scale)
  return `M${scale.x(mark.column)} ${top}v${round(end - top)}`
}

function heightOf(mark: Mark, scale: Scale): number {
  const [top, end] = ends(mark, scale)
  return end - top
}

/** Draws short bars as dashed lines across consecutive days, because an hourly job has hundreds of bars. */
function dashes(look: string, marks: readonly Mark[], scale: Scale): Html {
  const byHeight = Map.groupBy(marks, (mark) => round(heightOf(mark, scale)))
  const gap = scale.pitch - scale.width
  return html`${[...byHeight].map(([height, some]) => {
    const rows = Map.groupBy(some, ({ from }) => scale.y(from))
    const drawn = [...rows].flatMap(([top, row]) => {
      return stretchesOf(row.map(({ column }) => column)).map(([from, until]) => {
        const begin = scale.x(from) - scale.width / 2
        return `M${round(begin)} ${round(top + height / 2)}H${round(scale.x(until) + scale.width / 2)}`
      })
    })
    return html`<path class="${look}" stroke-width="${height}" stroke-dasharray="${scale.width} ${gap}" d="${drawn.join('')}"/>`
  })}`
}

/** Draws a triangle that points at a late run's end from below. */
function triangle(mark: Mark, scale: Scale): string {
  const [, end] = ends(mark, scale)
  const half = Math.min(5, round(scale.pitch * 0.45))
  return `M${round(scale.x(mark.column) - half)} ${round(end + 8)}l${half} -7 ${half} 7z`
}

/** Draws a line that extends to both sides of a slow run's end. */
function foot(mark: Mark, scale: Scale): string {
  const [, end] = ends(mark, scale)
  return `M${round(scale.x(mark.column) - 5)} ${end}h10`
}

/** Draws a cross over a failed run's end. */
function cross(mark: Mark, scale: Scale): string {
  const [top, end] = ends(mark, scale)
  const half = Math.min(4.5, round(scale.pitch * 0.4))
  const size = round(half * 2)
  return `M${round(scale.x(mark.column) - half)} ${round(end - Math.min(end - top, UNTIMED) / 2 - half)}l${size} ${size}m0-${size}l-${size} ${size}`
}

/** Draws a hollow box whose height is the grace time. The box has a minimum height, so that it still looks like a box. */
function box({ column, from, until }: Mark, scale: Scale): string {
  const width = Math.max(2.5, round(scale.width))
  const height = Math.max(4, round(scale.y(until) - scale.y(from)))
  return `M${round(scale.x(column) - width / 2)} ${scale.y(from)}h${width}v${height}h-${width}z`
}

function arrow({ edge, column }: Mark, scale: Scale): string {
  if (edge === null) return ''
  const left = round(scale.x(column) - 3)
  return edge === 'above' ? `M${left} ${TOP + 6}l3 -4 3 4` : `M${left} ${BASE - 6}l3 4 3 -4`
}
