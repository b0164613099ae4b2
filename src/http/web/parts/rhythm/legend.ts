/** A rhythm plot's legend. It explains the shapes that the plot contains. */
import type { RhythmPlot } from '../../../../domain/rhythm-plot/rhythm-plot.ts'
import { Html, html } from '../../html.ts'

const SAMPLES = {
  ran: '<path class="ok" stroke-width="5" d="M8 2v12"/>',
  late: '<path class="lt" stroke-width="5" d="M8 1v6"/><path class="tri" d="M3.5 15 8 8l4.5 7z"/>',
  slow: '<path class="lt" stroke-width="5" d="M8 1v13"/><path class="foot" d="M3 14h10"/>',
  failed: '<path class="fl" stroke-width="5" d="M8 4v8"/><path class="fx" d="m3.5 3.5 9 9m0-9-9 9"/>',
  missing: '<path class="ms" d="M4.5 2.5h7v11h-7z"/>',
  expected: '<path class="sched" d="M0 8h16"/>',
  grace: '<path class="band" d="M0 3h16v10H0z"/>',
  outside: '<path class="out" d="m4 10 4-5 4 5"/>',
  square: '<path class="ok" stroke-width="10" d="M3 8h10"/>',
  flat: '<path class="fl" stroke-width="3" d="M3 8h10"/>',
  paused: '<path class="ps" d="M0 8h16"/>',
  muted: '<path class="mu" d="M0 6h16M0 10h16"/>',
  away: '<path class="away" stroke-width="16" d="M8 0v16"/>',
  change: '<path class="chg" d="M8 0v16"/>',
  weekend: '<path class="wkd" d="M0 8h16"/>',
} as const

export function rhythmLegend(plot: RhythmPlot): Html {
  const items = [
    ...('squares' in plot ? squareItems(plot) : markItems(plot)),
    item(
      plot.columns.some(({ look }) => look === 'paused'),
      'paused',
      'paused',
    ),
    item(
      plot.columns.some(({ isMuted }) => isMuted),
      'muted',
      'muted for part of the day',
    ),
    item(
      plot.columns.some(({ look }) => look === 'away'),
      'away',
      'Overdue had an outage',
    ),
    item(plot.changes.length > 0, 'change', 'clock change'),
    item(
      plot.columns.some(({ isWeekend }) => isWeekend),
      'weekend',
      'weekend',
    ),
  ]
  return html`<ul class="legend">${items}</ul>`
}

function item(isShown: boolean, sample: keyof typeof SAMPLES, words: string): Html | false {
  return (
    isShown &&
    html`<li><svg class="rhythm key" viewBox="0 0 16 16" aria-hidden="true">${new Html(SAMPLES[sample])}</svg>${words}</li>`
  )
}

function markItems({ marks, lines, ticks }: Extract<RhythmPlot, { marks: unknown }>) {
  const inside = new Set(marks.filter(({ edge }) => edge === null).map(({ kind }) => kind))
  const kinds = (['ran', 'late', 'slow', 'failed', 'missing'] as const).map((kind) =>
    item(inside.has(kind), kind, kind),
  )
  return [
    ...kinds,
    item(
      marks.some(({ edge }) => edge !== null),
      'outside',
      'outside',
    ),
    item(lines.length > 0 || ticks.length > 0, 'expected', 'expected'),
    item(lines.length > 0, 'grace', 'grace'),
  ]
}

function squareItems({ squares }: Extract<RhythmPlot, { squares: unknown }>) {
  const isFailed = squares.some((square) => square.isFailed)
  return [item(true, 'square', 'ran: the area is the share of the day’s hours'), item(isFailed, 'flat', 'failed')]
}
