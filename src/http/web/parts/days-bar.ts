/** A bar with a segment for each day. Days are green, with red or amber parts if there was downtime. */
import type { DayLook } from '../../../domain/run/up-and-down.ts'
import { type Html, html } from '../html.ts'
import { counted } from './words/text.ts'

const DAY = 10
const WIDTH = 6.6
const HEIGHT = 32
/** Height of the amber part for a day with some downtime. */
const PART = 18
const REST = HEIGHT - PART - 2

/** One piece of a day's drawing. Positions are measured from the top. */
interface Piece {
  readonly look: '' | 'pt' | 'dn' | 'no'
  readonly top: number
  readonly height: number
}

const whole = (look: Piece['look']): readonly Piece[] => [{ look, top: 0, height: HEIGHT }]

const PIECES: Readonly<Record<DayLook | 'none', readonly Piece[]>> = {
  up: whole(''),
  partly: [
    { look: '', top: 0, height: REST },
    { look: 'pt', top: HEIGHT - PART, height: PART },
  ],
  down: whole('dn'),
  none: whole('no'),
}

/**
 * Draws the days. Consecutive days that look the same are drawn as a single dashed line, because a status page may have a hundred bars.
 * @param looks each day's look, oldest first and today last; null for days without monitoring
 */
export function daysBar(looks: readonly (DayLook | null)[]): Html {
  const lines = new Map<Piece, string>()
  let from = 0
  while (from < looks.length) {
    const look = looks[from]
    let until = from + 1
    while (until < looks.length && looks[until] === look) until++
    for (const piece of PIECES[look ?? 'none']) {
      const line = `M${from * DAY} ${piece.top + piece.height / 2}h${fixed((until - from) * DAY - (DAY - WIDTH))}`
      lines.set(piece, (lines.get(piece) ?? '') + line)
    }
    from = until
  }
  const paths = [...lines].map(
    ([{ look, height }, line]) =>
      html`<path${look !== '' && html` class="${look}"`} stroke-width="${height}" d="${line}"/>`,
  )
  return html`<svg class="days" viewBox="0 0 ${looks.length * DAY} ${HEIGHT}" preserveAspectRatio="none" stroke-dasharray="${WIDTH} ${fixed(DAY - WIDTH)}" role="img" aria-label="${words(looks)}">${paths}</svg>`
}

const fixed = (length: number) => Number(length.toFixed(1))

/** Returns text such as `90 days: 87 without downtime, 2 with some, 1 down`. */
function words(looks: readonly (DayLook | null)[]): string {
  const number = (look: DayLook | null) => looks.filter((each) => each === look).length
  const parts = [
    `${number('up')} without downtime`,
    ...(number('partly') > 0 ? [`${number('partly')} with some`] : []),
    ...(number('down') > 0 ? [`${number('down')} down`] : []),
    ...(number(null) > 0 ? [`${number(null)} before the first ping`] : []),
  ]
  return `${counted(looks.length, 'day', 'days')}: ${parts.join(', ')}`
}
