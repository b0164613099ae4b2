/** `metrics`: figures of the whole server for those who have `METRICS_KEY`; no project's key, and no CORS. */
import { Elysia } from 'elysia'
import { Refusal } from '../../domain/errors.ts'
import { collectTotals } from '../../services/server-metrics.ts'
import { requireMethod } from '../errors.ts'
import { hasMetricsKey } from '../metrics-key.ts'
import type { ApiDeps } from './door.ts'

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
