/** The HTTP door: in which order its rooms are mounted. Building it opens nothing. */
import { type AnyElysia, Elysia } from 'elysia'
import { Refusal } from '../domain/errors.ts'
import { createBadges } from '../services/badges.ts'
import type { ApiDeps } from './api/door.ts'
import { api } from './api/index.ts'
import { ListAnswers } from './api/list-answers.ts'
import { type BadgeDeps, badges } from './badges.ts'
import { docs } from './docs.ts'
import { errors } from './errors.ts'
import { type HealthDeps, health } from './health.ts'
import { home } from './home.ts'
import { mailLinks } from './mail-links.ts'
import { type PingDeps, ping } from './ping.ts'
import { projectMetrics } from './project-metrics.ts'
import type { PublicLimitDeps } from './public-limit.ts'
import { serverMetrics } from './server-metrics.ts'
import { sendOn, targetOf } from './target.ts'
import { type RequestTracer, traced } from './traced.ts'

export type HttpDeps = Omit<ApiDeps, 'lists'> & PingDeps & HealthDeps & PublicLimitDeps

type DoorDeps = HttpDeps & ApiDeps & BadgeDeps

/** @param tracer null: requests are not traced */
export function createHttp(given: HttpDeps, tracer: RequestTracer | null = null): AnyElysia {
  const deps: DoorDeps = { ...given, lists: new ListAnswers(given), badges: createBadges(given) }
  // One router whether a request comes over a socket or from a test, and one that takes hosts of any length.
  // Normalising would bend a wrong value into shape before it is validated.
  const http: AnyElysia = new Elysia({
    systemRouter: false,
    normalize: false,
    handler: { standardHostname: false },
    // A second server on the port would share its requests, and Bun's page for developers shows the source.
    serve: { reusePort: false, development: false },
  })
    .use(tracer ? traced(tracer) : [])
    .use(errors(deps))
    .use(doors(deps, ''))
    .all('/*', ({ request }) => redispatch(request, (again) => http.handle(again)), { parse: 'none' })
  const { pathname } = new URL(deps.site.links.siteRoot)
  // Behind a proxy that keeps the path of SITE_ROOT; one that strips it finds the doors above.
  return pathname === '/' ? http : http.use(doors(deps, pathname))
}

function doors(deps: DoorDeps, prefix: string): AnyElysia {
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
 * RFC 3986, 6.2.2.2: `%63` and `c` are the same path, which the router does not know; and it loses its way in the URL of
 * a request without a usable Host. Done once: what is encoded twice names something else.
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
  const again = isLost || isEncoded ? sendOn(request, url) : null
  if (again === null) throw new Refusal('not-found', 'not found')
  return handle(again)
}
