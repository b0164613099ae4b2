/** `metrics`: the server's own figures, in Prometheus' text format. */
import { Elysia } from 'elysia'
import { formatFamilies } from '../domain/exposition.ts'
import type { Deps } from '../services/deps.ts'
import { collectServerMetrics } from '../services/server-metrics.ts'
import { requireMetricsAccess } from './metrics-key.ts'
import { METRICS_HEADERS, requireReading } from './probe.ts'
import { socketAddressOf } from './target.ts'

export type ServerMetricsDeps = Pick<Deps, 'store' | 'now' | 'measurements' | 'process' | 'metricsKey'>

export function serverMetrics(deps: ServerMetricsDeps) {
  return new Elysia().all(
    '/metrics',
    async ({ request, server }) => {
      requireReading(request)
      const socketAddress = socketAddressOf(request, server)
      requireMetricsAccess(request.headers, socketAddress, deps.metricsKey)
      return new Response(formatFamilies(await collectServerMetrics(deps)), { headers: METRICS_HEADERS })
    },
    { parse: 'none', detail: { hide: true } },
  )
}
