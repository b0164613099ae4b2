/** The last runs as a chart, and as a table. */
import { usualOf } from '../../../../domain/check/usual-duration.ts'
import type { Instant } from '../../../../lib/time.ts'
import type { CheckPage } from '../../../../services/overview/check-page.ts'
import { type Html, html } from '../../html.ts'
import { counted } from '../../parts/words/text.ts'
import type { CheckContext } from './context.ts'
import { runChart, runTable } from './run-chart.ts'

const SECOND = 1_000_000

export function runsSection({ runs, view }: CheckPage, { clock, tz, pageHref }: CheckContext): Html {
  const first = runs.find(({ at }) => at !== null)?.at ?? null
  const since = first && (clock.isToday(first) ? `since ${clock.time(first)}` : `since ${clock.day(first)}`)
  const chart = {
    runs,
    usual: usualOf(view.check),
    longest: view.check.graceSeconds * SECOND,
    clock,
    tz,
    entryHref: (n: number) => pageHref(`log/${n}`),
    logHref: (until: Instant) => `${pageHref('log')}?until=${encodeURIComponent(minuteIn(tz, until))}`,
  }
  return html`<section class="card" id="runs" aria-labelledby="runs-h"><header><h2 id="runs-h">${runs.length === 0 ? 'Last runs' : `Last ${counted(runs.length, 'run', 'runs')}`}</h2>${since && html`<p>${since}</p>`}</header>${
    runs.length === 0
      ? html`<div class="body"><p class="muted">No run yet. Each ping that reports a success or a failure is one.</p></div>`
      : html`<div class="body">${runChart(chart)}</div><details class="fold"><summary>As a table</summary>${runTable(chart)}</details>`
  }</section>`
}

/** As the log reads it from its address: `2026-11-17T03:30`. */
function minuteIn(tz: string, at: Instant): string {
  return at.toZonedDateTimeISO(tz).toPlainDateTime().toString({ smallestUnit: 'minute' })
}
