/** Answers as they go out: pages in their layout, redirects, files, streams and errors, each with the headers of all pages. */
import { rightOf } from '../../domain/actor.ts'
import type { Deps } from '../../services/deps.ts'
import type { Sockets } from '../client.ts'
import { explain } from '../errors.ts'
import type { Html } from './html.ts'
import { errorPage } from './layout/error-page.ts'
import { framePage } from './layout/frame.ts'
import { gatePage } from './layout/gate.ts'
import type { CurrentProject } from './layout/menu.ts'
import { referenceLayout } from './layout/reference.ts'
import { TOAST_PARAMETER, toastCode } from './parts/toast.ts'
import type { People } from './people.ts'
import type { Identity, PageAnswer, PageContent, PageSite, ProjectVisit, Route } from './route.ts'
import { cacheHeader, HTML_TYPE, SECURITY_HEADERS } from './security-headers.ts'
import { eventStream } from './stream.ts'

export type PresentDeps = Pick<Deps, 'log' | 'random'> & {
  readonly people: People
  /** resolves when a quiet stream must show that it is alive */
  readonly streamPause?: () => Promise<unknown>
}

/** Shorter than the 30 seconds after which the server closes a connection on which nothing is sent. */
const STREAM_PAUSE_MS = 10_000

/** A request and what is known of it so far. */
export interface Asked {
  readonly request: Request
  readonly sockets: Sockets | null
  /** without the path of SITE_ROOT */
  readonly url: URL
  readonly params: Readonly<Record<string, string>>
}

/** What a visit may be, before its form is read: see the kinds of access. */
export interface Admitted {
  readonly identity: Identity | null
  readonly actor: ProjectVisit['actor'] | null
}

export const STRANGER: Admitted = { identity: null, actor: null }

/** @param mayGoOn asked while a stream runs: whether its reader could open it again */
export async function present(
  deps: PresentDeps,
  site: PageSite,
  route: Route,
  asked: Asked,
  admitted: Admitted,
  answer: PageAnswer,
  mayGoOn: () => Promise<boolean>,
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
  const { method, signal } = asked.request
  const body = method === 'HEAD' ? null : eventStream(answer.events, { mayGoOn, pause: streamPause, signal })
  // Proxies that buffer would hold messages back.
  const type = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }
  return new Response(body, { headers: { ...SECURITY_HEADERS, ...cacheHeader('no-store'), ...type } })
}

async function layOut(
  { people }: PresentDeps,
  site: PageSite,
  { url, params }: Asked,
  { identity, actor }: Admitted,
  content: PageContent,
): Promise<Html> {
  const done = toastCode(url.searchParams.get(TOAST_PARAMETER))
  if (content.layout === 'reference') return referenceLayout(site, content)
  if (content.layout === 'gate') return gatePage({ site, account: identity?.account ?? null, done, content })
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
export function answerError(
  { log, random }: PresentDeps,
  site: PageSite,
  request: Request,
  { identity }: Admitted,
  error: unknown,
): Response {
  const id = random.uuid()
  const { status, message, headers } = explain(error, log, request, { id })
  const content = errorPage(site, { status, message, id: status === 500 ? id : null })
  const page = gatePage({ site, account: identity?.account ?? null, done: null, content })
  const all = { ...SECURITY_HEADERS, ...HTML_TYPE, ...cacheHeader('no-store'), ...headers }
  return new Response(page.text, { status, headers: all })
}

export function toSignIn(site: PageSite, { pathname, search }: URL): Response {
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
