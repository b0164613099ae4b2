/** The small chart next to advice. It shows thirty days of runs, without axes. Its text alternative states what the chart shows. */
import type { Mark } from '../../../../domain/rhythm-plot/marks.ts'
import type { RhythmProof } from '../../../../domain/rhythm-plot/proof.ts'
import type { TimePlot } from '../../../../domain/rhythm-plot/rhythm-plot.ts'
import { type Html, html } from '../../html.ts'
import { round } from '../../parts/rhythm/scale.ts'
import { stretchesOf } from '../../parts/rhythm/stretches.ts'
import { counted } from '../../parts/words/text.ts'

const [WIDTH, HEIGHT] = [150, 44]

/** @param of the check's name */
export function proofDrawing(proof: RhythmProof, of: string): Html {
  const drawn = proof.kind === 'plot' ? drawPlot(proof.plot, proof.partlyFailed) : drawPresence(proof)
  const weeks = proof.kind === 'plot' && proof.plot.axis.kind === 'week'
  const length = weeks ? `${proof.plot.columns.length} weeks` : '30 days'
  const columns = proof.kind === 'plot' ? proof.plot.columns.length : proof.columns
  const name = `${of}, ${length}: ${proof.finding}.${mutedWords(proof.mutedColumns.length, weeks)}`
  return html`<svg class="rhythm proof" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${name}">${drawn}${drawMuted(proof, columns)}</svg>`
}

function mutedWords(columns: number, areWeeks: boolean): string {
  if (columns === 0) return ''
  return ` Muted for a part of ${areWeeks ? counted(columns, 'week', 'weeks') : counted(columns, 'day', 'days')}.`
}

function drawMuted({ mutedColumns }: RhythmProof, columns: number): Html | null {
  const pitch = WIDTH / columns
  const drawn = [0.5, 2.5].flatMap((y) =>
    stretchesOf(mutedColumns).map(([first, last]) => `M${round(first * pitch)} ${y}H${round((last + 1) * pitch)}`),
  )
  return path('mu', drawn.join(''))
}

/** Bar width: the share of the column's width that it takes up, and its minimum and maximum in pixels. */
const BAR = { share: 0.42, least: 3, most: 8 }
/** Height of the mark for a run whose duration is unknown or too short to be visible. */
const LOWEST = 2.5
/**
 * Maximum number of boxes for missing runs. If there are more, they are not drawn, because they would hide the actual runs. The lines still
 * show the expected runs.
 */
const MISSING = 60

function drawPlot({ columns, axis, lines, ticks, marks }: TimePlot, partlyFailed: readonly number[]): Html {
  const pitch = WIDTH / columns.length
  const width = round(Math.min(BAR.most, Math.max(BAR.least, pitch * BAR.share)))
  const x = (column: number) => round((column + 0.5) * pitch)
  const y = (minute: number) => round((Math.min(axis.length, Math.max(0, minute)) / axis.length) * HEIGHT)
  const across = ({ from, until }: { readonly from: number; readonly until: number }) =>
    [round(from * pitch), round(until * pitch)] as const
  const bands = lines.map((line) => {
    const [left, right] = across(line)
    return `M${left} ${y(line.minute)}H${right}V${y(line.minute + line.grace)}H${left}z`
  })
  const expected = lines.map((line) => {
    const [left, right] = across(line)
    return `M${left} ${y(line.minute)}H${right}`
  })
  const bars = (look: string, ...kinds: readonly Mark['kind'][]) => {
    const some = marks.filter(({ kind }) => kinds.includes(kind))
    const high = some.filter(({ from, until }) => y(until) - y(from) > LOWEST)
    const low = some.filter((mark) => !high.includes(mark))
    const drawn = high.map(({ column, from, until }) => `M${x(column)} ${y(from)}V${y(until)}`).join('')
    return html`${path(look, drawn, width)}${rows(look, low, y, { pitch, width, height: LOWEST })}`
  }
  const missing = marks.filter(({ kind }) => kind === 'missing')
  const boxes = missing.map(({ column, from, until }) => {
    const height = Math.max(4, round(y(until) - y(from)))
    return `M${round(x(column) - width / 2)} ${Math.min(y(from), HEIGHT - 4)}h${width}v${height}h-${width}z`
  })
  const crosses = [
    ...marks.filter(({ kind }) => kind === 'failed').map(({ column, until }) => cross(x(column), y(until))),
    ...partlyFailed.map((column) => cross(x(column), HEIGHT)),
  ]
  const awaited = ticks.map(({ column, minute }) => ({ column, from: minute }))
  return html`${path('band', bands.join(''))}${path(lines.length > MISSING ? 'thin' : 'sched', expected.join(''))}${rows('sched', awaited, y, { pitch, width, height: 1 })}${bars('ok', 'ran', 'slow')}${bars('lt', 'late')}${bars('fl', 'failed')}${path('ms', missing.length > MISSING ? '' : boxes.join(''))}${path('fx', crosses.join(''))}`
}

function path(look: string, drawn: string, width: number | null = null): Html | null {
  if (drawn === '') return null
  return html`<path class="${look}"${width !== null && html` stroke-width="${width}"`} d="${drawn}"/>`
}

const CROSS = 1.8

/** Draws a cross that stays inside the image even near its edge. */
function cross(x: number, y: number): string {
  const top = Math.min(HEIGHT - 2 * CROSS - 1, Math.max(1, y - CROSS))
  return `M${round(x - CROSS)} ${round(top)}l3.6 3.6m0-3.6l-3.6 3.6`
}

/**
 * Draws marks of minimum height as dashed lines across consecutive days, with positions rounded to whole units. Drawing each mark
 * separately would make the page too large.
 */
function rows(
  look: string,
  marks: readonly Pick<Mark, 'column' | 'from'>[],
  y: (minute: number) => number,
  { pitch, width, height }: { readonly pitch: number; readonly width: number; readonly height: number },
): Html | null {
  const byRow = Map.groupBy(marks, ({ from }) => Math.min(HEIGHT - 2, Math.max(1, Math.round(y(from)))))
  const drawn = [...byRow].flatMap(([row, some]) =>
    stretchesOf(some.map(({ column }) => column)).map(([first, last]) => {
      const edge = (pitch - width) / 2
      return `M${round(first * pitch + edge)} ${row}H${round((last + 1) * pitch - edge)}`
    }),
  )
  if (drawn.length === 0) return null
  return html`<path class="${look}" stroke-width="${height}" stroke-dasharray="${width} ${round(pitch - width)}" d="${drawn.join('')}"/>`
}

function drawPresence({ columns, stretches }: Extract<RhythmProof, { kind: 'presence' }>): Html {
  const pitch = WIDTH / columns
  const y = (minute: number) => round((minute / 1_440) * HEIGHT)
  const drawn = (isFailed: boolean) =>
    stretches
      .filter((stretch) => stretch.isFailed === isFailed)
      .map(({ column, from, until }) => `M${round((column + 0.5) * pitch)} ${y(from)}V${y(until)}`)
      .join('')
  return html`${path('ok', drawn(false), BAR.least)}${path('fl', drawn(true), 1)}`
}
