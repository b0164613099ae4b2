/**
 * The steps that every request for a page passes through. The first step that fails determines the response:
 *
 * 1. the method, 405                                                                                       `answerRequest`
 * 2. the rate limit for public pages, 429                                                                  `limitPublic`
 * 3. the signed-in user; not read on public routes                                                         `identify`
 * 4. the right to use the route: without a session, a GET redirects to the sign-in page, a POST gets 401;  `admit`
 *    the project in the path, 404 for users who are not members; their role in it, 403
 * 5. the origin of a POST, 403                                                                             `requireOwnOrigin`
 * 6. the form, 400 or 413; not read on routes that email programs post to                                  `readForm`
 * 7. a recent proof of identity, on sensitive routes; users without one are asked for it                   `mustConfirm`
 * 8. the handler                                                                                           the route
 * 9. the page in its layout, with the common headers and the route's cache rule                            `present`
 *
 * A refusal or an error becomes a page with its status. Access is checked before the form is read, so that clients without access cannot
 * make the server parse large forms. Access is also checked before the origin, so that only authorized users learn about a wrong SITE_ROOT.
 */
import type { AnyElysia } from 'elysia'
import { requireAdministrator, requireRight } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import { addSeconds, isAtOrAfter, isBefore } from '../../lib/time.ts'
import { socketAddressOf } from '../client.ts'
import type { HttpDeps } from '../deps.ts'
import { MethodNotAllowed } from '../errors.ts'
import { limitPublic } from '../public-limit.ts'
import { targetOf } from '../target.ts'
import { assetPath } from './assets/assets.ts'
import { NO_FORM, readForm } from './form.ts'
import { createHref, START } from './href.ts'
import { isOwnOrigin } from './origin.ts'
import {
  type Asked,
  answerError,
  type Occasion,
  type PresentDeps,
  present,
  type Reader,
  toConfirm,
  toSignIn,
} from './present.ts'
import type { Identity, PageAnswer, PageSite, Route, Visit } from './route.ts'
import { STREAM_SECONDS } from './stream.ts'

export type DoorDeps = PresentDeps & Pick<HttpDeps, 'site' | 'now' | 'clients' | 'publicLimit'>

export interface Door {
  /**
   * Adds routes to `app`.
   * @param prefix the prefix of `app`: SITE_ROOT's path, or ''
   */
  mount(app: AnyElysia, routes: readonly Route[], prefix: string): AnyElysia
  /** Returns the page for a URL that matches no route. */
  notFound(request: Request): Response
}

export function createDoor(deps: DoorDeps): Door {
  const site: PageSite = { name: deps.site.name, href: createHref(deps.site.links.siteRoot, assetPath) }
  return {
    mount(app, routes, prefix) {
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
    notFound: (request) => answerError(deps, { site, request, reader: null }, new Refusal('not-found', 'not found')),
  }
}

/** Returns whether a browser requests a page. Programs expect plain text instead. */
export function wantsPage({ method, headers }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && headers.get('accept')?.includes('text/html') === true
}

/**
 * Returns whether a script requests a stream. The request must not be redirected to the sign-in page, because the script would treat that
 * page as the stream.
 */
function wantsStream({ headers }: Request): boolean {
  return headers.get('accept')?.includes('text/event-stream') === true
}

async function answerRequest(
  deps: DoorDeps,
  site: PageSite,
  routes: readonly Route[],
  asked: Asked,
): Promise<Response> {
  const { request, sockets } = asked
  let reader: Reader | null = null
  try {
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const route = routes.find((each) => each.method === method)
    if (!route) throw new MethodNotAllowed(methodsOf(routes))
    if (route.access === 'public' && !route.isUnlimited) limitPublic(deps, request, sockets)
    // Read the revision before the rights, so that a change in between is noticed.
    const mayGoOn = createPermit(deps, route, asked)
    reader = await identify(deps, route, asked)
    const isOpen = route.access === 'public' || route.access === 'visitor'
    if (reader === null && !isOpen && method === 'GET' && !wantsStream(request)) return toSignIn(site, asked.url)
    const admitted = await admit(deps, route, reader, asked.params)
    reader = admitted.reader
    const visit = await visitOf(deps, site, route, asked)
    if (await mustConfirm(deps, route, reader, visit)) return toConfirm(site, pageOf(routes, asked.url))
    const answer = await admitted.answer(visit)
    return await present(deps, { site, asked, reader, route, mayGoOn }, answer)
  } catch (error) {
    return answerError(deps, { site, request, reader }, error)
  }
}

async function identify({ auth }: DoorDeps, { access }: Route, { request, sockets }: Asked): Promise<Identity | null> {
  return access === 'public' ? null : auth.identify(request, sockets)
}

/** A user who may use a route, and the handler that answers them. */
interface Admitted {
  readonly reader: Reader | null
  readonly answer: (visit: Visit) => PageAnswer | Promise<PageAnswer>
}

/** @throws Refusal `unauthorized`, `not-found`, `read-only` or `forbidden` */
async function admit(
  { auth }: DoorDeps,
  route: Route,
  identity: Identity | null,
  params: Asked['params'],
): Promise<Admitted> {
  if (route.access === 'public') return { reader: null, answer: route.answer }
  if (route.access === 'visitor') {
    return { reader: identity, answer: (visit) => route.answer({ ...visit, identity }) }
  }
  if (identity === null) throw new Refusal('unauthorized', 'unauthorized')
  if (route.access === 'administrator') requireAdministrator(identity.person)
  if (route.access !== 'project') {
    return { reader: identity, answer: (visit) => route.answer({ ...visit, ...identity }) }
  }
  const actor = await auth.findProject(identity.person, params.project ?? '')
  if (actor === null) throw new Refusal('not-found', 'not found')
  requireRight(actor, route.right)
  return { reader: { ...identity, actor }, answer: (visit) => route.answer({ ...visit, ...identity, actor }) }
}

async function mustConfirm(
  { auth }: DoorDeps,
  { isSensitive = () => false }: Route,
  reader: Reader | null,
  visit: Visit,
): Promise<boolean> {
  const isAsked = isSensitive === true || isSensitive(visit)
  return isAsked && reader !== null && auth.needsConfirmation(reader)
}

/**
 * Returns the URL of the page to return to after the user has proved their identity.
 * @param routes all routes with the same path
 */
function pageOf(routes: readonly Route[], { pathname, search }: URL): string {
  return routes.some(({ method }) => method === 'GET') ? pathname + search : START
}

async function visitOf(deps: DoorDeps, site: PageSite, route: Route, asked: Asked): Promise<Visit> {
  const { request, sockets, url, params } = asked
  const client = deps.clients.read(request.headers, socketAddressOf(request, sockets))
  const isOwnForm = route.method === 'POST' && !route.acceptsAnyOrigin
  if (isOwnForm) requireOwnOrigin(deps, request, client.scheme)
  const form = isOwnForm && !route.readsBody ? await readForm(request, route.formLimit) : NO_FORM
  const userAgent = request.headers.get('user-agent') ?? ''
  const remoteUser = deps.auth.remoteUser(request, sockets)
  return { request, url, params, form, client: { ...client, userAgent }, remoteUser, site }
}

/** @throws Refusal `forbidden` */
function requireOwnOrigin({ site }: DoorDeps, { headers }: Request, scheme: 'http' | 'https'): void {
  const { siteRoot } = site.links
  if (isOwnOrigin(headers, siteRoot, scheme)) return
  const { origin } = new URL(siteRoot)
  throw new Refusal(
    'forbidden',
    `this form was sent from an address other than ${origin}. Open the page there, or set SITE_ROOT=https://… on the server to the address that you use`,
  )
}

/** Time between two checks of a stream's access while no rights change, in seconds. Sessions may expire in the meantime. */
const ASK_EVERY_SECONDS = 10
/** Minimum time between two checks, in seconds, even if rights change more often. */
const ASK_PAUSE_SECONDS = 2

/**
 * Creates a function that returns whether a stream may continue. A stream may continue if it is not too old and the reader would be allowed
 * to open it again. Calling the function is very cheap unless some user's access rights have changed.
 */
function createPermit(deps: DoorDeps, route: Route, asked: Asked): Occasion['mayGoOn'] {
  const until = addSeconds(deps.now(), STREAM_SECONDS)
  let askedAt = deps.now()
  let revision = deps.auth.accessRevision()
  return async (also) => {
    const at = deps.now()
    if (isAtOrAfter(at, until)) return false
    const current = deps.auth.accessRevision()
    const patience = current === revision ? ASK_EVERY_SECONDS : ASK_PAUSE_SECONDS
    if (isBefore(at, addSeconds(askedAt, patience))) return true
    askedAt = at
    revision = current
    const reader = await readerNow(deps, route, asked)
    return reader !== null && also(reader.identity)
  }
}

/** @returns null if the reader is not allowed to open the route */
async function readerNow(
  deps: DoorDeps,
  route: Route,
  asked: Asked,
): Promise<{ readonly identity: Identity | null } | null> {
  if (route.access === 'public') return { identity: null }
  try {
    const identity = await deps.auth.recall(asked.request, asked.sockets)
    await admit(deps, route, identity, asked.params)
    return { identity }
  } catch (error) {
    if (error instanceof Refusal) return null
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

/**
 * Returns the path parameters as strings. Elysia passes null for invalid percent-encoding, and nothing at all for a path without
 * parameters.
 */
function textsOf(params: Readonly<Record<string, string | null>> | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, value ?? '']))
}
