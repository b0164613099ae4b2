/** The drawing for a row: planned, actual and missing runs. One horizontal unit is one minute. */

import type { NightLoad } from '../../../../domain/night/load.ts'
import type { Comb, NightRow } from '../../../../domain/night/row.ts'
import type { NightSlot } from '../../../../domain/night/slots.ts'
import type { NightWindow } from '../../../../domain/night/window.ts'
import type { Stretch } from '../../../../domain/stretch.ts'
import { MINUTE } from '../../../../domain/units.ts'
import { Html, html } from '../../html.ts'

/** Minimum width of a mark, so that a one-second run is still visible. */
const SHORTEST = 3
const HEIGHT = 20
const LOAD_HEIGHT = 24

/** The kinds of marks, in drawing order. Later kinds are drawn on top of earlier ones. */
const KINDS = ['mu', 'gr', 'pl', 'pa', 'ok', 'sl', 'lt', 'lt2', 'fl', 'ms', 'rn', 'rnt', 'now'] as const
type Kind = (typeof KINDS)[number]

/** Collects drawings of the same kind in a single path. */
class Paths {
  readonly #parts = new Map<Kind, string>()
  readonly #attributes = new Map<Kind, string>([['gr', ' fill="url(#hatch)"']])

  add(kind: Kind, part: string): void {
    this.#parts.set(kind, (this.#parts.get(kind) ?? '') + part)
  }

  set(kind: Kind, attribute: string): void {
    this.#attributes.set(kind, ` ${attribute}`)
  }

  get html(): Html {
    const drawn = KINDS.flatMap((kind) => {
      const part = this.#parts.get(kind)
      return part === undefined ? [] : [`<path class="${kind}"${this.#attributes.get(kind) ?? ''} d="${part}"/>`]
    })
    // This is safe, because the text consists only of numbers and constants.
    return new Html(drawn.join(''))
  }
}

/**
 * Draws a row. Its text alternative is the text next to it.
 * @param muted periods during which the check was muted, see `JudgedRow`
 * @param now current time, in milliseconds since 1970
 */
export function rowDrawing(row: NightRow, muted: readonly Stretch[], window: NightWindow, now: number): Html {
  const paths = new Paths()
  const x = scaleOf(window)
  if (row.comb) addComb(paths, row.comb, window, now)
  else for (const slot of row.slots) addSlot(paths, slot, row, x)
  for (const { from, until } of row.pauses) paths.add('pa', `M${text(x(from))} 10H${text(x(Math.min(until, now)))}`)
  // Mutes are drawn in the space above all other marks, so they don't hide anything.
  for (const stretch of muted) {
    const [from, until] = [text(x(stretch.from)), text(x(stretch.until))]
    paths.add('mu', `M${from} .5H${until}M${from} 2.5H${until}`)
  }
  if (row.runningSince !== null && row.runningSince < window.until) {
    paths.add('rn', `M${text(x(row.runningSince))} 10H${text(x(now))}`)
    paths.add('rnt', `M${text(x(now))} 3V17`)
  }
  if (now > window.from && now < window.until) paths.add('now', `M${text(x(now))} 0V20`)
  return html`<svg class="nt" viewBox="0 0 ${widthOf(window)} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${paths.html}</svg>`
}

type Scale = (at: number) => number

/** Returns a window's scale. Marks outside the window are placed at its edge. */
function scaleOf({ from, until }: NightWindow): Scale {
  return (at) => (Math.min(until, Math.max(from, at)) - from) / MINUTE
}

function widthOf({ from, until }: NightWindow): number {
  return (until - from) / MINUTE
}

function addSlot(paths: Paths, { at, outcome, run }: NightSlot, { grace, usual }: NightRow, x: Scale): void {
  const [from, end] = [x(at), x(at + grace)]
  paths.add('gr', box(from, end, 4, 12))
  paths.add('pl', `M${text(from)} 18.5H${text(Math.max(from + 2, x(at + (usual ?? 0))))}`)
  if (outcome === 'missing') paths.add('ms', box(from, Math.max(from + SHORTEST, end), 3, 14))
  if (run === null) return
  const began = x(run.began)
  const ended = Math.max(began + SHORTEST, x(run.ended))
  const line = (until: number) => `M${text(began)} 10H${text(until)}`
  if (run.kind === 'failed') paths.add('fl', box(began, began + 4, 2, 16))
  else if (run.kind === 'late') {
    paths.add('lt', line(ended))
    paths.add('lt2', `M${text(ended - 2)} 18.5h4`)
  } else if (run.kind === 'slow' && usual !== null) {
    const middle = x(run.began + usual)
    paths.add('ok', line(middle))
    paths.add('sl', `M${text(middle)} 10H${text(Math.max(middle + SHORTEST, ended))}`)
  } else paths.add('ok', line(ended))
}

/** Minimum distance between two teeth of the comb that stands for frequent runs, in minutes. Closer teeth would look like a gray area. */
const FINEST = 2
const TOOTH = 0.6
/** Maximum number of failures to draw individually. If there are more, they are drawn as a block. */
const FAILURES_DRAWN = 100

function addComb(
  paths: Paths,
  { period, since, silences, runs, failed, isAhead }: Comb,
  window: NightWindow,
  now: number,
): void {
  const x = scaleOf(window)
  if (isAhead) paths.add('pl', `M0 18.5H${widthOf(window)}`)
  const minutes = period / MINUTE
  if (minutes >= FINEST) paths.set('ok', `stroke-dasharray="${text(minutes * TOOTH)} ${text(minutes * (1 - TOOTH))}"`)
  let from = since
  const upTo = (until: number) => {
    if (x(until) > x(from) && runs > 0) paths.add('ok', `M${text(x(from))} 10H${text(x(until))}`)
  }
  for (const silence of silences) {
    upTo(silence.from)
    from = Math.min(silence.until, now)
    paths.add('ms', box(x(silence.from), Math.max(x(silence.from) + SHORTEST, x(from)), 3, 14))
  }
  upTo(now)
  for (const at of failed.slice(0, FAILURES_DRAWN)) paths.add('fl', box(x(at), x(at) + 4, 2, 16))
}

function box(from: number, until: number, top: number, height: number): string {
  return `M${text(from)} ${top}H${text(until)}v${height}H${text(from)}z`
}

/** Rounds to a tenth of a minute, which is less than a pixel. */
function text(value: number): string {
  return String(Math.round(value * 10) / 10)
}

/** Draws the number of simultaneous runs in each minute as a step chart. */
export function loadDrawing({ steps, most }: NightLoad, window: NightWindow): Html {
  const x = scaleOf(window)
  const y = (count: number) => text(LOAD_HEIGHT - (count / Math.max(1, most)) * (LOAD_HEIGHT - 2))
  const path = steps.map(({ at, count }) => `H${text(x(at))}V${y(count)}`).join('')
  const width = widthOf(window)
  return html`<svg class="nt load" viewBox="0 0 ${width} ${LOAD_HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><path class="ld" d="M0 ${LOAD_HEIGHT}${path}H${width}V${LOAD_HEIGHT}z"/></svg>`
}

/** The pattern that fills grace times. A page has to contain it once. */
export const HATCH = new Html(
  '<svg class="sr" aria-hidden="true"><defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch" d="M0 0v6"/></pattern></defs></svg>',
)

const LEGEND: readonly (readonly [sample: string, words: string])[] = [
  ['<path class="pl" d="M2 18.5h18"/>', 'planned, usual length'],
  ['<path class="gr" fill="url(#hatch)" d="M1 4h22v12H1z"/>', 'grace'],
  ['<path class="ok" d="M2 10h18"/>', 'ran'],
  ['<path class="ok" d="M2 10h10"/><path class="sl" d="M12 10h10"/>', 'longer than usual'],
  ['<path class="lt" d="M2 10h18"/><path class="lt2" d="M18 18.5h4"/>', 'past its grace'],
  ['<path class="fl" d="M8 2h4v16h-4z"/>', 'failed'],
  ['<path class="ms" d="M3 3h18v14H3z"/>', 'missing'],
  ['<path class="pa" d="M2 10h20"/>', 'paused'],
  ['<path class="mu" d="M2 9.5h20M2 11.5h20"/>', 'muted'],
  ['<path class="rn" d="M2 10h18"/><path class="rnt" d="M20 3v14"/>', 'running'],
]

export function nightLegend(): Html {
  const items = LEGEND.map(
    ([sample, words]) =>
      html`<li><svg class="nk" viewBox="0 0 24 20" aria-hidden="true">${new Html(sample)}</svg>${words}</li>`,
  )
  return html`<ul class="legend">${items}</ul>`
}
