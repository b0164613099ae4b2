/**
 * The steps of each request for a page. The first one that fails gives the answer:
 *
 * 1. the method, 405                                                                     `answerRequest`
 * 2. who is signed in; not asked on public routes                                        `answerRequest`
 * 3. who may use the route: a GET of a stranger goes to the sign-in, a POST gets 401;    `admit`
 *    the project in the path, 404 for who is no member; the role in it, 403
 * 4. the origin of a POST, 403                                                           `requireOwnOrigin`
 * 5. the form, 400 or 413                                                                `readForm`
 * 6. the handler                                                                         the route
 * 7. the page in its layout, with the headers of all pages and the route's cache rule    `present`
 *
 * A refusal or an error becomes a page with its status. Access comes before the form, so that strangers can't make the server
 * parse much, and before the origin, so that a wrong SITE_ROOT is told only to who may know it.
 */
import { type AnyElysia, Elysia } from 'elysia'
import { requireAdministrator, requireRight } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import { addSeconds, type Instant, isAtOrAfter } from '../../lib/time.ts'
import type { Deps } from '../../services/deps.ts'
import { type ClientReader, socketAddressOf } from '../client.ts'
import { MethodNotAllowed } from '../errors.ts'
import { targetOf } from '../target.ts'
import { NO_FORM, readForm } from './form.ts'
import { createHref } from './href.ts'
import { isOwnOrigin } from './origin.ts'
import { type Admitted, type Asked, answerError, type PresentDeps, present, STRANGER, toSignIn } from './present.ts'
import type { Identity, PageAnswer, PageSite, Route, Visit } from './route.ts'
import { STREAM_SECONDS } from './stream.ts'

export type DoorDeps = PresentDeps & Pick<Deps, 'site' | 'now'> & { readonly clients: ClientReader }

export interface Door {
  /** @param prefix under which the routes will be mounted: the path of SITE_ROOT, or '' */
  mount(routes: readonly Route[], prefix: string): AnyElysia
  /** The page for an address that no route has. */
  notFound(request: Request): Response
}

export function createDoor(deps: DoorDeps): Door {
  const site: PageSite = { name: deps.site.name, href: createHref(deps.site.links.siteRoot) }
  return {
    mount(routes, prefix) {
      const app = new Elysia()
      for (const [path, ofPath] of Map.groupBy(routes, (route) => route.path)) {
        app.all(
          path,
          ({ request, params, server }) => {
            const url = localUrl(request, prefix)
            return answerRequest(deps, site, ofPath, { request, sockets: server, url, params: textsOf(params) })
          },
          { parse: 'none', detail: { hide: true } },
        )
      }
      return app
    },
    notFound: (request) => answerError(deps, site, request, STRANGER, new Refusal('not-found', 'not found')),
  }
}

/** Whether a browser asks for a page, not a program for an answer in plain text. */
export function wantsPage({ method, headers }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && headers.get('accept')?.includes('text/html') === true
}

async function answerRequest(
  deps: DoorDeps,
  site: PageSite,
  routes: readonly Route[],
  asked: Asked,
): Promise<Response> {
  const { request } = asked
  let admitted = STRANGER
  try {
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const route = routes.find((each) => each.method === method)
    if (!route) throw new MethodNotAllowed(methodsOf(routes))
    if (route.access !== 'public') {
      const identity = await deps.people.identify(request, asked.sockets)
      admitted = { identity, actor: null }
      if (identity === null && route.access !== 'visitor' && method === 'GET') return toSignIn(site, asked.url)
      admitted = await admit(deps, route, identity, asked.params)
    }
    const visit = await visitOf(deps, site, route, asked)
    const answer = await callHandler(route, visit, admitted)
    const until = addSeconds(deps.now(), STREAM_SECONDS)
    return await present(deps, site, route, asked, admitted, answer, () => stillMay(deps, route, asked, until))
  } catch (error) {
    return answerError(deps, site, request, admitted, error)
  }
}

/** @throws Refusal `unauthorized`, `not-found`, `read-only` or `forbidden` */
async function admit(
  { people }: DoorDeps,
  route: Route,
  identity: Identity | null,
  params: Asked['params'],
): Promise<Admitted> {
  if (route.access === 'public' || route.access === 'visitor') return { identity, actor: null }
  if (identity === null) throw new Refusal('unauthorized', 'unauthorized')
  if (route.access === 'administrator') requireAdministrator(identity.person)
  if (route.access !== 'project') return { identity, actor: null }
  const actor = await people.findProject(identity.person, params.project ?? '')
  if (actor === null) throw new Refusal('not-found', 'not found')
  requireRight(actor, route.right)
  return { identity, actor }
}

async function visitOf(deps: DoorDeps, site: PageSite, route: Route, asked: Asked): Promise<Visit> {
  const { request, sockets, url, params } = asked
  const client = deps.clients.read(request.headers, socketAddressOf(request, sockets))
  const isPost = route.method === 'POST'
  if (isPost && !route.acceptsAnyOrigin) requireOwnOrigin(deps, request, client.scheme)
  const form = isPost ? await readForm(request) : NO_FORM
  const userAgent = request.headers.get('user-agent') ?? ''
  const remoteUser = deps.people.remoteUser(request, sockets)
  return { request, url, params, form, client: { ...client, userAgent }, remoteUser, site }
}

/** @throws Refusal `forbidden` */
function requireOwnOrigin({ site }: DoorDeps, { headers }: Request, scheme: 'http' | 'https'): void {
  const { siteRoot } = site.links
  if (isOwnOrigin(headers, siteRoot, scheme)) return
  const { origin } = new URL(siteRoot)
  throw new Refusal(
    'forbidden',
    `this form came from another address than ${origin}. Open the page there and send the form again, or set SITE_ROOT to the address that you use`,
  )
}

function callHandler(route: Route, visit: Visit, { identity, actor }: Admitted): PageAnswer | Promise<PageAnswer> {
  if (route.access === 'public') return route.answer(visit)
  if (route.access === 'visitor') return route.answer({ ...visit, identity })
  if (identity === null) throw new Refusal('unauthorized', 'unauthorized')
  if (route.access !== 'project') return route.answer({ ...visit, ...identity })
  if (actor === null) throw new Refusal('not-found', 'not found')
  return route.answer({ ...visit, ...identity, actor })
}

/** Whether the reader of a stream could open it again, and has not had it for too long. */
async function stillMay(deps: DoorDeps, route: Route, asked: Asked, until: Instant): Promise<boolean> {
  if (isAtOrAfter(deps.now(), until)) return false
  if (route.access === 'public') return true
  try {
    await admit(deps, route, await deps.people.recall(asked.request, asked.sockets), asked.params)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function methodsOf(routes: readonly Route[]): readonly string[] {
  return routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}

function localUrl(request: Request, prefix: string): URL {
  const url = targetOf(request)
  if (prefix !== '') url.pathname = url.pathname.slice(prefix.length)
  return url
}

/** Elysia gives null for broken percent-encoding, and no object for a path without names. */
function textsOf(params: Readonly<Record<string, string | null>> | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, value ?? '']))
}
