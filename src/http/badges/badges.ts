/** Public badges, which anyone who has the URL can read. */
import { Elysia } from 'elysia'
import { type Badge, renderBadge } from '../../domain/badge/formats.ts'
import { BADGE_FORMATS } from '../../domain/badge-urls.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Badges } from '../../services/badges/badges.ts'
import { crossOrigin } from '../cors.ts'
import type { HttpDeps } from '../deps.ts'
import { NEVER_CACHED, NOT_SNIFFED } from '../headers.ts'
import { limitPublic } from '../public-limit.ts'
import { restOf } from '../target.ts'
import { type BadgePath, parseCheckBadgePath, parseTagBadgePath } from './badge-path.ts'

const METHOD = 'GET'
const COMMON = { ...crossOrigin([METHOD]), ...NEVER_CACHED, ...NOT_SNIFFED }

/** @param given renders the badges; shared by all copies of the routes */
export function badges(deps: HttpDeps, given: Badges) {
  return new Elysia()
    .all(
      '/badge/*',
      ({ request, params, server, set }) =>
        answer(request, set.headers, parseTagBadgePath(restOf(params)), (path) => {
          limitPublic(deps, request, server)
          return given.findTagBadge(path)
        }),
      { parse: 'none', detail: { hide: true } },
    )
    .all(
      '/b/*',
      ({ request, params, server, set }) =>
        answer(request, set.headers, parseCheckBadgePath(restOf(params)), ({ badgeKey }) => {
          limitPublic(deps, request, server)
          return given.findCheckBadge(badgeKey)
        }),
      { parse: 'none', detail: { hide: true } },
    )
}

/**
 * @param headers set on errors too, so that pages from other origins can read them
 * @param path null if the URL is not a badge URL
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
  const format = BADGE_FORMATS.find((each) => each === path.format)
  if (badge === null || format === undefined) return new Response(null, { status: 404 })
  const rendered = renderBadge(badge, path.states, format)
  // A browser treats an SVG that is opened on its own as a document. If a script ever got into an SVG, this policy would keep it from
  // running.
  const policy = { 'content-security-policy': "default-src 'none'" }
  return new Response(rendered.body, { headers: { ...policy, 'content-type': rendered.type } })
}

function methodNotAllowed(): Response {
  const headers = { allow: METHOD, 'content-type': 'text/plain; charset=utf-8' }
  return new Response('method not allowed', { status: 405, headers })
}
