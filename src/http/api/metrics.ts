/** `metrics`: server-wide totals. The endpoint requires `METRICS_KEY` instead of a project's key, and does not send CORS headers. */
import { Elysia } from 'elysia'
import { Refusal } from '../../domain/errors.ts'
import { collectTotals } from '../../services/server/server-metrics.ts'
import { requireMethod } from '../errors.ts'
import { hasMetricsKey } from '../metrics/metrics-key.ts'
import type { ApiDeps } from './door/door.ts'

const SAFE = ['GET', 'HEAD', 'OPTIONS']

export function metrics(deps: ApiDeps) {
  return new Elysia().all(
    '/metrics',
    async ({ request }) => {
      requireMethod(request, SAFE)
      if (!hasMetricsKey(request.headers, deps.metricsKey)) throw new Refusal('forbidden', 'forbidden')
      return Response.json(await collectTotals(deps))
    },
    { parse: 'none' },
  )
}
