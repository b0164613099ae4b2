/** The card with the chart of a check's runs, which shows either their times or their durations. */
import { usualOf } from '../../../../domain/check/usual-duration.ts'
import type { CheckPage } from '../../../../services/overview/check-page.ts'
import { type Html, html } from '../../html.ts'
import { counted } from '../../parts/words/text.ts'
import type { CheckContext } from './context.ts'
import { type ChartView, chartQuery } from './rhythm/chart-view.ts'
import { rhythmBody } from './rhythm/section.ts'
import { runChart, runTable } from './run-chart.ts'

const SECOND = 1_000_000

export function chartSection(page: CheckPage, context: CheckContext): Html {
  const { view, pageHref } = context
  const viewHref = (other: Partial<ChartView>) => {
    const query = chartQuery({ ...view, ...other })
    return query === '' ? pageHref() : `${pageHref()}?${query}`
  }
  const { rhythm } = page
  const body = rhythm === null ? durationBody(page, context) : rhythmBody(rhythm, page.view, { ...context, viewHref })
  const hasDays = rhythm !== null && 'axis' in rhythm && rhythm.axis.kind !== 'week'
  return html`<section class="card" id="chart" aria-labelledby="chart-h"><header><h2 id="chart-h">${rhythm === null ? durationTitle(page) : 'Rhythm'}</h2><div class="acts">${switcher(
    'Chart',
    [
      { text: 'When', href: viewHref({ chart: 'when' }), isHere: view.chart === 'when' },
      { text: 'How long', href: viewHref({ chart: 'took' }), isHere: view.chart === 'took' },
    ],
  )}${
    hasDays &&
    switcher('Days', [
      { text: '30 days', href: viewHref({ days: 30 }), isHere: view.days === 30 },
      { text: '90', label: '90 days', href: viewHref({ days: 90 }), isHere: view.days === 90 },
    ])
  }</div></header>${body}</section>`
}

interface Choice {
  readonly text: string
  /** label for screen readers, if the visible text is not clear enough by itself; it must start with the visible text */
  readonly label?: string
  readonly href: string
  readonly isHere: boolean
}

function switcher(name: string, choices: readonly Choice[]): Html {
  const links = choices.map(
    ({ text, label, href, isHere }) =>
      html`<a href="${href}"${label !== undefined && html` aria-label="${label}"`}${isHere && html` aria-current="true"`}>${text}</a>`,
  )
  return html`<nav class="seg" aria-label="${name}">${links}</nav>`
}

function durationTitle({ runs }: CheckPage): string {
  return runs.length === 0 ? 'Last runs' : `Last ${counted(runs.length, 'run', 'runs')}`
}

function durationBody({ runs, view }: CheckPage, { clock, tz, entryHref, logHref }: CheckContext): Html {
  if (runs.length === 0) {
    return html`<div class="body"><p class="muted">No runs yet. Each ping that reports a success or a failure counts as a run.</p></div>`
  }
  const chart = {
    runs,
    usual: usualOf(view.check),
    longest: view.check.graceSeconds * SECOND,
    clock,
    tz,
    entryHref,
    logHref,
  }
  return html`<div class="body">${runChart(chart)}</div><details class="fold"><summary>As a table</summary>${runTable(chart)}</details>`
}
