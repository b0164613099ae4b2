/** Badges for the public: no key, no cookie; whoever has the URL may look. */
import { Elysia } from 'elysia'
import { type Badge, renderBadge } from '../domain/badge-formats.ts'
import { Refusal } from '../domain/errors.ts'
import type { Badges } from '../services/badges.ts'
import { type BadgePath, parseCheckBadgePath, parseTagBadgePath } from './badge-path.ts'
import { NEVER_CACHED } from './cache.ts'
import { crossOrigin } from './cors.ts'
import { limitPublic, type PublicLimitDeps } from './public-limit.ts'
import { NOT_SNIFFED } from './sniffing.ts'
import { restOf } from './target.ts'

export interface BadgeDeps extends PublicLimitDeps {
  readonly badges: Badges
}

const METHOD = 'GET'
const COMMON = { ...crossOrigin([METHOD]), ...NEVER_CACHED, ...NOT_SNIFFED }

export function badges(deps: BadgeDeps) {
  return new Elysia()
    .all(
      '/badge/*',
      ({ request, params, server, set }) =>
        answer(request, set.headers, parseTagBadgePath(restOf(params)), (path) => {
          limitPublic(deps, request, server)
          return deps.badges.findTagBadge(path)
        }),
      { parse: 'none', detail: { hide: true } },
    )
    .all(
      '/b/*',
      ({ request, params, server, set }) =>
        answer(request, set.headers, parseCheckBadgePath(restOf(params)), ({ badgeKey }) => {
          limitPublic(deps, request, server)
          return deps.badges.findCheckBadge(badgeKey)
        }),
      { parse: 'none', detail: { hide: true } },
    )
}

/**
 * @param headers of whatever is answered, a refusal included: pages of other origins learn of that too
 * @param path null: no badge could ever be there
 */
async function answer<Path extends BadgePath>(
  { method }: Request,
  headers: Record<string, unknown>,
  path: Path | null,
  find: (path: Path) => Promise<Badge | null>,
): Promise<Response> {
  if (path === null) throw new Refusal('not-found', 'not found')
  Object.assign(headers, COMMON)
  if (method === 'OPTIONS') return new Response(null, { status: 204 })
  if (method !== METHOD) return methodNotAllowed()
  const badge = await find(path)
  const rendered = badge && renderBadge(badge, path.states, path.format)
  if (rendered === null) return new Response(null, { status: 404 })
  // An image opened by itself is a document, and could run scripts if one ever got into it.
  const policy = { 'content-security-policy': "default-src 'none'" }
  return new Response(rendered.body, { headers: { ...policy, 'content-type': rendered.type } })
}

function methodNotAllowed(): Response {
  const headers = { allow: METHOD, 'content-type': 'text/plain; charset=utf-8' }
  return new Response('method not allowed', { status: 405, headers })
}
