/** A project's metrics, at the same three URLs as in Healthchecks. */
import { Elysia } from 'elysia'
import { Refusal } from '../../domain/errors.ts'
import { isUuid } from '../../lib/secrets/uuid.ts'
import { LongReads, longReaderOf } from '../../services/common/long-reads.ts'
import { getMetricsReader, readProjectMetrics } from '../../services/projects/project-metrics.ts'
import type { Sockets } from '../client.ts'
import type { HttpDeps } from '../deps.ts'
import { longAnswer } from '../long-answer.ts'
import { limitPublic } from '../public-limit.ts'
import { METRICS_HEADERS, requireReading } from '../read-only.ts'
import { bearerToken } from './bearer.ts'

/**
 * Maximum number of simultaneous responses. A single account may have at most ten of them. Responses are built in memory and take about
 * 400 bytes per check.
 */
const AT_ONCE = 13

const HIDDEN = { parse: 'none', detail: { hide: true } } as const

/** A path parameter. Elysia passes null if the parameter's percent-encoding is invalid. */
type Param = string | null

export function projectMetrics(deps: HttpDeps) {
  const longReads = new LongReads(deps.store, AT_ONCE)
  const answer = async (request: Request, sockets: Sockets | null, projectId: Param, key: Param) => {
    if (!deps.prometheusEnabled || !isUuid(projectId ?? '')) throw new Refusal('not-found', 'not found')
    requireReading(request)
    limitPublic(deps, request, sockets)
    if (key === null) {
      throw new Refusal('unauthorized', 'send a read-only key of the project as "Authorization: Bearer <key>"')
    }
    const actor = await getMetricsReader(deps, projectId ?? '', key)
    return longAnswer({ ...deps, longReads }, longReaderOf(actor), readProjectMetrics(deps, actor), METRICS_HEADERS)
  }
  return new Elysia()
    .all(
      '/projects/:id/metrics',
      ({ request, params, server }) => answer(request, server, params.id, bearerToken(request.headers)),
      HIDDEN,
    )
    .all(
      '/projects/:id/metrics/:key',
      ({ request, params, server }) => answer(request, server, params.id, params.key ?? ''),
      HIDDEN,
    )
    .all(
      '/projects/:id/checks/metrics/:key',
      ({ request, params, server }) => answer(request, server, params.id, params.key ?? ''),
      HIDDEN,
    )
}
