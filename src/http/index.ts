/** Mounts all routes of the web server, in an order that matters. It opens no socket. */
import { type AnyElysia, Elysia } from 'elysia'
import { Refusal } from '../domain/errors.ts'
import { createBadges } from '../services/badges.ts'
import type { Deps } from '../services/deps.ts'
import { type ApiDeps, api } from './api/index.ts'
import { ListAnswers } from './api/list-answers.ts'
import { type BadgeDeps, badges } from './badges/badges.ts'
import { docs } from './docs.ts'
import { errors } from './errors.ts'
import { type HealthDeps, health } from './health.ts'
import { projectMetrics } from './metrics/project-metrics.ts'
import { serverMetrics } from './metrics/server-metrics.ts'
import { home } from './pages/home.ts'
import { mailLinks } from './pages/mail-links.ts'
import { type PingDeps, ping } from './ping/ping.ts'
import type { PublicLimitDeps } from './public-limit.ts'
import { targetOf, withUrl } from './target.ts'
import { type RequestTracer, traced } from './traced.ts'

export type HttpDeps = Deps & Omit<ApiDeps, 'lists'> & PingDeps & HealthDeps & PublicLimitDeps

type RouteDeps = HttpDeps & ApiDeps & BadgeDeps

/** @param tracer null turns tracing off */
export function createHttp(given: HttpDeps, tracer: RequestTracer | null = null): AnyElysia {
  const deps: RouteDeps = { ...given, lists: new ListAnswers(given), badges: createBadges(given) }
  // Sockets and tests use the same router, and it takes hosts of any length.
  // `normalize` would change wrong values before they are validated.
  const http: AnyElysia = new Elysia({
    systemRouter: false,
    normalize: false,
    handler: { standardHostname: false },
    // `reusePort` gives a second server on the port a share of the requests; `development` shows source code on errors.
    serve: { reusePort: false, development: false },
  })
    .use(tracer ? traced(tracer) : [])
    .use(errors(deps))
    .use(routes(deps, ''))
    .all('/*', ({ request }) => redispatch(request, (again) => http.handle(again)), { parse: 'none' })
  const { pathname } = new URL(deps.site.links.siteRoot)
  // For proxies that keep the path of SITE_ROOT; the routes above are for those that strip it.
  return pathname === '/' ? http : http.use(routes(deps, pathname))
}

function routes(deps: RouteDeps, prefix: string): AnyElysia {
  return new Elysia({ prefix })
    .use(ping(deps))
    .use(api(deps, 1))
    .use(api(deps, 2))
    .use(api(deps, 3))
    .use(badges(deps))
    .use(mailLinks(deps))
    .use(projectMetrics(deps))
    .use(serverMetrics(deps))
    .use(health(deps))
    .use(docs(deps))
    .use(home(deps))
}

/**
 * Routes a request again that the router did not recognise: it knows neither that `%63` and `c` are the same (RFC 3986,
 * 6.2.2.2) nor the URL of a request without a usable Host. Done once: a path encoded twice names something else.
 */
function redispatch(request: Request, handle: (request: Request) => Promise<Response>): Promise<Response> {
  const url = targetOf(request)
  const pathname = url.pathname.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : code
  })
  const isLost = request.url.startsWith('/')
  const isEncoded = pathname !== url.pathname
  url.pathname = pathname
  const again = isLost || isEncoded ? withUrl(request, url) : null
  if (again === null) throw new Refusal('not-found', 'not found')
  return handle(again)
}
