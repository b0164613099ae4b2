/**
 * The steps of each request for a page. The first one that fails gives the answer:
 *
 * 1. the method, 405                                                                     `answerRequest`
 * 2. who is signed in; not asked on public routes                                        `admit`
 * 3. who may use the route: a GET of a stranger goes to the sign-in, a POST gets 401     `admit`
 *    the project in the path, 404 for who is no member; the role in it, 403              `admit`
 * 4. the origin of a POST, 403                                                           `requireOwnOrigin`
 * 5. the form, 400 or 413                                                                `readForm`
 * 6. the handler                                                                         the route
 * 7. the page in its layout, with the headers of all pages and the route's cache rule    `present`
 *
 * A refusal or an error becomes a page with its status. Access comes before the form, so that strangers can't make the server
 * parse much, and before the origin, so that a wrong SITE_ROOT is told only to who may know it.
 */
import { type AnyElysia, Elysia } from 'elysia'
import { requireAdministrator, requireRight, rightOf } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Deps } from '../../services/deps.ts'
import { type ClientReader, type Sockets, socketAddressOf } from '../client.ts'
import { explain, MethodNotAllowed } from '../errors.ts'
import { targetOf } from '../target.ts'
import { NO_FORM, readForm } from './form.ts'
import { createHref } from './href.ts'
import type { Html } from './html.ts'
import { errorPage } from './layout/error-page.ts'
import { framePage } from './layout/frame.ts'
import { gatePage } from './layout/gate.ts'
import type { CurrentProject } from './layout/menu.ts'
import { referenceLayout } from './layout/reference.ts'
import { isOwnOrigin } from './origin.ts'
import { TOAST_PARAMETER, toastCode } from './parts/toast.ts'
import type { People } from './people.ts'
import type { Identity, PageAnswer, PageContent, PageSite, ProjectVisit, Route, Visit } from './route.ts'
import { cacheHeader, HTML_TYPE, SECURITY_HEADERS } from './security-headers.ts'
import { eventStream } from './stream.ts'

export type DoorDeps = Pick<Deps, 'site' | 'log' | 'random'> & {
  readonly clients: ClientReader
  readonly people: People
  /** resolves when a quiet stream must show that it is alive */
  readonly streamPause?: () => Promise<unknown>
}

/** Shorter than the 30 seconds after which the server closes a connection on which nothing is sent. */
const STREAM_PAUSE_MS = 10_000

/** A request and what is known of it so far. */
interface Asked {
  readonly request: Request
  readonly sockets: Sockets | null
  /** without the path of SITE_ROOT */
  readonly url: URL
  readonly params: Readonly<Record<string, string>>
}

/** What a visit may be, before its form is read: see the kinds of access. */
interface Admitted {
  readonly identity: Identity | null
  readonly actor: ProjectVisit['actor'] | null
}

const STRANGER: Admitted = { identity: null, actor: null }

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
    return await present(deps, site, route, asked, admitted, answer)
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
  return { request, url, params, form, client: { ...client, userAgent }, site }
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

async function present(
  deps: DoorDeps,
  site: PageSite,
  route: Route,
  asked: Asked,
  admitted: Admitted,
  answer: PageAnswer,
): Promise<Response> {
  const { status = 200 } = 'status' in answer ? answer : {}
  const cache = cacheHeader(status < 400 ? route.cache : 'no-store')
  if (answer.kind === 'page') {
    const page = await layOut(deps, site, asked, admitted, answer.page)
    const headers = { ...SECURITY_HEADERS, ...HTML_TYPE, ...cache, ...answer.headers, ...cookieHeader(answer.cookie) }
    return new Response(page.text, { status, headers })
  }
  if (answer.kind === 'redirect') {
    const to = answer.done === undefined ? answer.to : withDone(answer.to, answer.done)
    return redirect(site.href(to), cookieHeader(answer.cookie))
  }
  if (answer.kind === 'file') {
    return new Response(answer.body, { status, headers: { ...SECURITY_HEADERS, ...cache, ...answer.headers } })
  }
  const { streamPause = () => Bun.sleep(STREAM_PAUSE_MS) } = deps
  const mayGoOn = () => stillMay(deps, route, asked)
  const body = eventStream(answer.events, { mayGoOn, pause: streamPause, signal: asked.request.signal })
  // Proxies that buffer would hold messages back.
  const type = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }
  return new Response(body, { headers: { ...SECURITY_HEADERS, ...cacheHeader('no-store'), ...type } })
}

/** Whether the reader of a stream could open it again. */
async function stillMay(deps: DoorDeps, route: Route, { request, sockets, params }: Asked): Promise<boolean> {
  if (route.access === 'public') return true
  try {
    await admit(deps, route, await deps.people.identify(request, sockets), params)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

async function layOut(
  { people }: DoorDeps,
  site: PageSite,
  { url, params }: Asked,
  { identity, actor }: Admitted,
  content: PageContent,
): Promise<Html> {
  const done = toastCode(url.searchParams.get(TOAST_PARAMETER))
  if (content.layout === 'reference') return referenceLayout(site, content)
  if (content.layout === 'gate') return gatePage({ site, theme: identity?.account.theme ?? 'system', done, content })
  if (identity === null) throw new Error('a page with the menu needs somebody who is signed in')
  const project: CurrentProject | null = actor && {
    slug: params.project ?? '',
    name: actor.project.name,
    right: rightOf(actor),
  }
  const projects = await people.listProjects(identity.person)
  return framePage({ site, account: identity.account, project, projects, done, content })
}

/** Needs no store, so it also says that the store can't be used. */
function answerError(
  { log, random }: DoorDeps,
  site: PageSite,
  request: Request,
  { identity }: Admitted,
  error: unknown,
): Response {
  const id = random.uuid()
  const { status, message, headers } = explain(error, log, request, { id })
  const content = errorPage(site, { status, message, id: status === 500 ? id : null })
  const page = gatePage({ site, theme: identity?.account.theme ?? 'system', done: null, content })
  const all = { ...SECURITY_HEADERS, ...HTML_TYPE, ...cacheHeader('no-store'), ...headers }
  return new Response(page.text, { status, headers: all })
}

function toSignIn(site: PageSite, { pathname, search }: URL): Response {
  const next = new URLSearchParams({ next: pathname + search })
  return redirect(`${site.href('/sign-in')}?${next}`)
}

function redirect(location: string, more: Readonly<Record<string, string>> = {}): Response {
  const headers = { ...SECURITY_HEADERS, ...cacheHeader('no-store'), ...more, location }
  return new Response(null, { status: 303, headers })
}

function withDone(path: string, done: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${TOAST_PARAMETER}=${done}`
}

function cookieHeader(cookie: string | undefined): Readonly<Record<string, string>> {
  return cookie === undefined ? {} : { 'set-cookie': cookie }
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
