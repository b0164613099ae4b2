/** Mounts all of the web server's routes. The order of the routes matters. This module does not open a socket. */
import { type AnyElysia, Elysia } from 'elysia'
import { Refusal } from '../domain/errors.ts'
import { type Badges, createBadges } from '../services/badges/badges.ts'
import type { ApiDeps } from './api/door/door.ts'
import { api } from './api/index.ts'
import { ListAnswers } from './api/lists/list-answers.ts'
import { ownApi } from './api/overdue/index.ts'
import { badges } from './badges/badges.ts'
import type { HttpDeps } from './deps.ts'
import { errors } from './errors.ts'
import { health } from './health.ts'
import { answersInLaterTurn } from './later-turn.ts'
import { projectMetrics } from './metrics/project-metrics.ts'
import { serverMetrics } from './metrics/server-metrics.ts'
import { noteRefused, ping } from './ping/ping.ts'
import { targetOf, withUrl } from './target.ts'
import { type RequestTracer, traced } from './traced.ts'
import { createAuth } from './web/auth.ts'
import { createDoor, type Door, wantsPage } from './web/door.ts'
import type { PageDeps } from './web/page.ts'
import type { Route } from './web/route.ts'
import { pageRoutes } from './web/routes.ts'

export type WebDeps = HttpDeps & Pick<PageDeps, 'adminImport' | 'backups'>

interface RouteDeps extends ApiDeps {
  readonly badges: Badges
  readonly door: Door
  readonly pages: readonly Route[]
}

/** @param tracer null if tracing is off */
export function createHttp(given: WebDeps, tracer: RequestTracer | null = null): AnyElysia {
  const deps: RouteDeps = {
    ...given,
    lists: new ListAnswers(given),
    badges: createBadges(given),
    door: createDoor({ ...given, auth: createAuth(given) }),
    pages: pageRoutes(given),
  }
  const { pathname: root } = new URL(deps.site.links.siteRoot)
  // Without these options, requests over a socket would use Bun's own router, while requests in tests use Elysia's, which accepts hosts of
  // any length. `normalize` must be off, because it would change invalid values before they are validated.
  const http: AnyElysia = new Elysia({
    systemRouter: false,
    normalize: false,
    handler: { standardHostname: false },
    // `reusePort` would let a second server on the same port receive some of the requests. `development` would show source code in errors.
    serve: { reusePort: false, development: false },
  })
    .use(tracer ? traced(tracer) : [])
    .use(answersInLaterTurn())
    .use(errors(deps))
  addRoutes(http, deps, '')
  http.all(
    '/*',
    ({ request }) => {
      const again = asRecognisable(request)
      if (again !== null) return http.handle(again)
      noteRefused(deps.refusedNotes, request, targetOf(request).pathname)
      if (isOfPages(request, root)) return deps.door.notFound(request)
      throw new Refusal('not-found', 'not found')
    },
    { parse: 'none' },
  )
  // The prefixed routes are for proxies that keep SITE_ROOT's path. The routes above are for proxies that strip it.
  return root === '/' ? http : http.use(addRoutes(new Elysia({ prefix: root }), deps, root))
}

/** Adds the routes directly to `app`. If a plugin added them, the framework would copy each route, which takes as long as creating it. */
function addRoutes(app: AnyElysia, deps: RouteDeps, prefix: string): AnyElysia {
  app
    .use(ping(deps))
    .use(api(deps, 1))
    .use(api(deps, 2))
    .use(api(deps, 3))
    .use(ownApi(deps))
    .use(badges(deps, deps.badges))
    .use(projectMetrics(deps))
    .use(serverMetrics(deps))
    .use(health(deps))
  return deps.door.mount(app, deps.pages, prefix)
}

/**
 * Rewrites a request that the router did not recognize. The router does not know that `%63` and `c` are equivalent (RFC 3986, 6.2.2.2), and
 * cannot parse the URL of a request without a valid Host. A request is rewritten only once, because a doubly encoded path means something
 * else.
 */
function asRecognisable(request: Request): Request | null {
  const url = targetOf(request)
  const pathname = url.pathname.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : code
  })
  const isLost = request.url.startsWith('/')
  const isEncoded = pathname !== url.pathname
  url.pathname = pathname
  return isLost || isEncoded ? withUrl(request, url) : null
}

/**
 * Returns whether the request comes from a browser, for a page that does not exist. Other clients get plain text, or JSON under `/api/`.
 */
function isOfPages(request: Request, root: string): boolean {
  const { pathname } = targetOf(request)
  const path = root !== '/' && pathname.startsWith(`${root}/`) ? pathname.slice(root.length) : pathname
  return wantsPage(request) && !path.startsWith('/api/') && !path.startsWith('/ping/')
}
