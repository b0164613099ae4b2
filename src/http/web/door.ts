/**
 * The steps of each request for a page. The first one that fails gives the answer:
 *
 * 1. the method, 405                                                                     `answerRequest`
 * 2. the rate limit of public pages, 429                                                 `limitPublic`
 * 3. the signed-in person; not read on public routes                                     `identify`
 * 4. the right to use the route: a stranger's GET leads to the sign-in, a POST gets 401; `admit`
 *    the project in the path, 404 for people who are not members; the role in it, 403
 * 5. the origin of a POST, 403                                                           `requireOwnOrigin`
 * 6. the form, 400 or 413; not read on routes that email programs post to                `readForm`
 * 7. a proof of identity, on sensitive routes: people without a recent one are asked     `mustConfirm`
 * 8. the handler                                                                         the route
 * 9. the page in its layout, with the headers of all pages and the route's cache rule    `present`
 *
 * A refusal or an error becomes a page with its status. Access is checked before the form, so that strangers can't make the server parse
 * much, and before the origin, so that a wrong SITE_ROOT is reported only to people who may know it.
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
  /** Adds routes to `app`. @param prefix the prefix of `app`: the path of SITE_ROOT, or '' */
  mount(app: AnyElysia, routes: readonly Route[], prefix: string): AnyElysia
  /** Returns the page for an address that no route has. */
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

/** Whether a browser requests a page; programs expect plain text. */
export function wantsPage({ method, headers }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && headers.get('accept')?.includes('text/html') === true
}

/** Whether a page's script requests a stream. The script would mistake a redirect to the sign-in for the stream. */
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
    // Read before rights are, so that a change in the meantime counts.
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

async function identify(
  { people }: DoorDeps,
  { access }: Route,
  { request, sockets }: Asked,
): Promise<Identity | null> {
  return access === 'public' ? null : people.identify(request, sockets)
}

/** A reader who may use a route, and its handler for them. */
interface Admitted {
  readonly reader: Reader | null
  readonly answer: (visit: Visit) => PageAnswer | Promise<PageAnswer>
}

/** @throws Refusal `unauthorized`, `not-found`, `read-only` or `forbidden` */
async function admit(
  { people }: DoorDeps,
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
  const actor = await people.findProject(identity.person, params.project ?? '')
  if (actor === null) throw new Refusal('not-found', 'not found')
  requireRight(actor, route.right)
  return { reader: { ...identity, actor }, answer: (visit) => route.answer({ ...visit, ...identity, actor }) }
}

async function mustConfirm(
  { people }: DoorDeps,
  { isSensitive = () => false }: Route,
  reader: Reader | null,
  visit: Visit,
): Promise<boolean> {
  const isAsked = isSensitive === true || isSensitive(visit)
  return isAsked && reader !== null && people.needsConfirmation(reader)
}

/** Returns the page to return to. @param routes the routes of one path */
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
    `this form was sent from an address other than ${origin}. Open the page there, or set SITE_ROOT=https://… on the server to the address that you use`,
  )
}

/** Seconds between two checks of a stream's reader while nobody's access changes: sessions expire. */
const ASK_EVERY_SECONDS = 10
/** Fewest seconds between two checks, however often access changes. */
const ASK_PAUSE_SECONDS = 2

/**
 * Creates the function that reports whether a stream may continue: its reader could open it again, and it is not too old. A call costs
 * next to nothing until somebody's access has changed.
 */
function createPermit(deps: DoorDeps, route: Route, asked: Asked): Occasion['mayGoOn'] {
  const until = addSeconds(deps.now(), STREAM_SECONDS)
  let askedAt = deps.now()
  let revision = deps.people.accessRevision()
  return async (also) => {
    const at = deps.now()
    if (isAtOrAfter(at, until)) return false
    const current = deps.people.accessRevision()
    const patience = current === revision ? ASK_EVERY_SECONDS : ASK_PAUSE_SECONDS
    if (isBefore(at, addSeconds(askedAt, patience))) return true
    askedAt = at
    revision = current
    const reader = await readerNow(deps, route, asked)
    return reader !== null && also(reader.identity)
  }
}

/** @returns null if the reader could not open the route */
async function readerNow(
  deps: DoorDeps,
  route: Route,
  asked: Asked,
): Promise<{ readonly identity: Identity | null } | null> {
  if (route.access === 'public') return { identity: null }
  try {
    const identity = await deps.people.recall(asked.request, asked.sockets)
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

/** Returns the parameters as texts. Elysia gives null for broken percent-encoding, and no object for a path without names. */
function textsOf(params: Readonly<Record<string, string | null>> | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, value ?? '']))
}
