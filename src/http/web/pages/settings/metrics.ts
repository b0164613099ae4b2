/** How the metrics of a project are collected. */
import { type Html, html } from '../../html.ts'
import { card, copyable } from '../../parts/lists.ts'

interface MetricsData {
  readonly siteRoot: string
  readonly projectId: string
}

export function metricsCard({ siteRoot, projectId }: MetricsData): Html {
  const url = `${siteRoot}/projects/${projectId}/metrics/`
  return card({
    title: 'Metrics',
    body: html`<div class="stack"><p>Prometheus collects the states of the checks here, with a read-only API key: <code>Authorization: Bearer odr_…</code></p>
${copyable(url, 'URL of the metrics')}</div>`,
  })
}
