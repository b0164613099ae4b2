/** A project's metrics on the three URLs of Healthchecks (behaviour of the peer, 1.15). */
import { Elysia } from 'elysia'
import { Refusal } from '../domain/errors.ts'
import { isUuid } from '../domain/uuid.ts'
import type { Deps } from '../services/deps.ts'
import { readProjectMetrics } from '../services/project-metrics.ts'
import { bearerToken } from './bearer.ts'
import { metricsAnswer, requireReading } from './probe.ts'

export type ProjectMetricsDeps = Pick<Deps, 'store' | 'site' | 'now' | 'prometheusEnabled'>

const HIDDEN = { parse: 'none', detail: { hide: true } } as const

/** Elysia gives null for what is not well encoded. */
type Param = string | null

export function projectMetrics(deps: ProjectMetricsDeps) {
  const answer = async (request: Request, projectId: Param, key: Param) => {
    if (!deps.prometheusEnabled || !isUuid(projectId ?? '')) throw new Refusal('not-found', 'not found')
    requireReading(request)
    if (key === null) {
      throw new Refusal('unauthorized', 'send a read-only key of the project as "Authorization: Bearer <key>"')
    }
    return metricsAnswer(await readProjectMetrics(deps, projectId ?? '', key))
  }
  return new Elysia()
    .all(
      '/projects/:id/metrics',
      ({ request, params }) => answer(request, params.id, bearerToken(request.headers)),
      HIDDEN,
    )
    .all('/projects/:id/metrics/:key', ({ request, params }) => answer(request, params.id, params.key ?? ''), HIDDEN)
    .all(
      '/projects/:id/checks/metrics/:key',
      ({ request, params }) => answer(request, params.id, params.key ?? ''),
      HIDDEN,
    )
}
