/** `/metrics`: server-wide metrics in the Prometheus text format. */
import { Elysia } from 'elysia'
import { formatFamilies } from '../../domain/metrics/exposition.ts'
import { collectServerMetrics } from '../../services/server/server-metrics.ts'
import { socketAddressOf } from '../client.ts'
import type { HttpDeps } from '../deps.ts'
import { METRICS_HEADERS, requireReading } from '../read-only.ts'
import { requireMetricsAccess } from './metrics-key.ts'

export function serverMetrics(deps: HttpDeps) {
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
