/** The small chart of one run in the list. It shows a mark at the due time, a band for the grace time, and the run itself. */
import type { BarScale } from '../../../../../domain/run-list/bar-scale.ts'
import type { ListedRun } from '../../../../../domain/run-list/run-list.ts'
import { type Html, html } from '../../../html.ts'

export interface BarDrawing {
  readonly scale: BarScale
  /** length of the grace time, in milliseconds */
  readonly grace: number
  /** current time, in milliseconds since 1970 */
  readonly now: number
}

type DrawnRun = Omit<ListedRun, 'changes'>

const LEFT = 4
const RIGHT = 108
const SHORTEST = 4
const LOOKS = { ran: 'ok', slow: 'lt', late: 'lt', failed: 'fl', running: 'rn' } as const

/**
 * Draws a run, or returns null if the run has no due time. The drawing has no label, because the row contains the same information as text.
 * @param beside other runs that overlap this run
 */
export function runBar(run: DrawnRun, beside: readonly DrawnRun[], { scale, grace, now }: BarDrawing): Html | null {
  const { due } = run
  if (due === null) return null
  const unit = (RIGHT - LEFT) / Math.max(1, scale.until - scale.from)
  const x = (at: number) => Math.round(Math.min(RIGHT, Math.max(LEFT, LEFT + (at - due - scale.from) * unit)) * 10) / 10
  const band = html`<path class="band" d="M${x(due)} 0H${x(due + grace)}V14H${x(due)}z"/><path class="sched" d="M${x(due)} 0V14"/>`
  const others = beside.map((other) => bar(other, x, now, 11, 4))
  const own =
    run.kind === 'missing'
      ? html`<path class="ms" d="M${x(due)} 2H${Math.max(x(due + grace), x(due) + SHORTEST)}V12H${x(due)}z"/>`
      : beside.length === 0
        ? bar(run, x, now, 7, run.kind === 'failed' ? 14 : 8)
        : bar(run, x, now, 4, 5)
  return html`<svg class="rb" viewBox="0 0 112 14" aria-hidden="true">${band}${own}${others}</svg>`
}

function bar(
  { kind, began, ended }: DrawnRun,
  x: (at: number) => number,
  now: number,
  y: number,
  height: number,
): Html {
  const look = kind === 'missing' ? 'ms' : LOOKS[kind]
  const from = Math.min(x(began), RIGHT - SHORTEST)
  return html`<path class="${look}" stroke-width="${height}" d="M${from} ${y}H${Math.max(x(ended ?? now), from + SHORTEST)}"/>`
}
