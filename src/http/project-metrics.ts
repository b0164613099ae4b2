/** A project's metrics on the three URLs of Healthchecks (behaviour of the peer, 1.15). */
import { Elysia } from 'elysia'
import { Refusal } from '../domain/errors.ts'
import { isUuid } from '../domain/uuid.ts'
import type { Deps } from '../services/deps.ts'
import { LongReads } from '../services/long-reads.ts'
import { readProjectMetrics } from '../services/project-metrics.ts'
import { bearerToken } from './bearer.ts'
import { longAnswer } from './long-answer.ts'
import { METRICS_HEADERS, requireReading } from './probe.ts'
import { limitPublic, type PublicLimitDeps } from './public-limit.ts'
import type { Sockets } from './target.ts'

export type ProjectMetricsDeps = Pick<Deps, 'store' | 'site' | 'now' | 'log' | 'stopwatch' | 'prometheusEnabled'> &
  PublicLimitDeps

/** Answers under way. Lists are sent page by page, but each of these is gathered in memory, some 400 bytes a check. */
const AT_ONCE = 10

const HIDDEN = { parse: 'none', detail: { hide: true } } as const

/** Elysia gives null for what is not well encoded. */
type Param = string | null

export function projectMetrics(deps: ProjectMetricsDeps) {
  const longReads = new LongReads(AT_ONCE)
  const answer = async (request: Request, sockets: Sockets | null, projectId: Param, key: Param) => {
    if (!deps.prometheusEnabled || !isUuid(projectId ?? '')) throw new Refusal('not-found', 'not found')
    requireReading(request)
    limitPublic(deps, request, sockets)
    if (key === null) {
      throw new Refusal('unauthorized', 'send a read-only key of the project as "Authorization: Bearer <key>"')
    }
    const pieces = await readProjectMetrics(deps, projectId ?? '', key)
    return longAnswer({ ...deps, longReads }, projectId ?? '', pieces, METRICS_HEADERS)
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
