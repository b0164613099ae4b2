/** Answers as they go out: pages in their layout, redirects, files, streams and errors, each with the headers of all pages. */
import { type PersonActor, rightOf } from '../../domain/actor.ts'
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
import type { Cache, Identity, PageAnswer, PageContent, PageSite } from './route.ts'
import { cacheHeader, HTML_TYPE, SECURITY_HEADERS } from './security-headers.ts'
import { eventStream } from './stream.ts'

export type PresentDeps = Pick<Deps, 'log' | 'random'> & {
  readonly people: People
  /** resolves when a stream must ask again whether its reader may read it */
  readonly streamPause?: () => Promise<unknown>
}

/** Five pauses are shorter than the 30 seconds after which the server closes a connection on which nothing is sent. */
const STREAM_PAUSE_MS = 2_000

/** A request and what is known of it so far. */
export interface Asked {
  readonly request: Request
  readonly sockets: Sockets | null
  /** without the path of SITE_ROOT */
  readonly url: URL
  readonly params: Readonly<Record<string, string>>
}

/** For whom a page is laid out. */
export interface Reader extends Identity {
  /** in the project of the page */
  readonly actor?: PersonActor
}

/** What an answer goes out with. */
export interface Occasion {
  readonly site: PageSite
  readonly asked: Asked
  /** null: nobody is signed in, or it was not asked */
  readonly reader: Reader | null
  /** how long the answer may be kept unless it is an error */
  readonly cache: Cache
  /** Asked while a stream runs: whether its reader could open it again. @param also whether the stream may go on otherwise */
  readonly mayGoOn: (also: () => Promise<boolean>) => Promise<boolean>
}

export async function present(deps: PresentDeps, occasion: Occasion, answer: PageAnswer): Promise<Response> {
  const { site, asked, mayGoOn } = occasion
  const { status = 200 } = 'status' in answer ? answer : {}
  const cache = cacheHeader(status < 400 ? occasion.cache : 'no-store')
  if (answer.kind === 'page') {
    const page = await layOut(deps, occasion, answer.page)
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
  const { events, mayGoOn: also = async () => true } = answer
  const rules = { mayGoOn: () => mayGoOn(also), pause: streamPause, signal }
  const body = method === 'HEAD' ? null : eventStream(events, rules)
  // Proxies that buffer would hold messages back.
  const type = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }
  return new Response(body, { headers: { ...SECURITY_HEADERS, ...cacheHeader('no-store'), ...type } })
}

async function layOut({ people }: PresentDeps, { site, asked, reader }: Occasion, content: PageContent): Promise<Html> {
  const done = toastCode(asked.url.searchParams.get(TOAST_PARAMETER))
  if (content.layout === 'reference') return referenceLayout(site, content)
  if (content.layout === 'gate') return gatePage({ site, account: reader?.account ?? null, done, content })
  if (reader === null) throw new Error('a page with the menu needs somebody who is signed in')
  const { account, person, actor } = reader
  const project = actor ? currentProject(actor) : null
  return framePage({ site, account, project, projects: await people.listProjects(person), done, content })
}

function currentProject(actor: PersonActor): CurrentProject {
  const { slug, name } = actor.project
  return { slug, name, right: rightOf(actor) }
}

/** Needs no store, so it also says that the store can't be used. */
export function answerError(
  { log, random }: PresentDeps,
  { site, request, reader }: Pick<Occasion, 'site' | 'reader'> & Pick<Asked, 'request'>,
  error: unknown,
): Response {
  const id = random.uuid()
  const { status, message, headers, isLogged } = explain(error, log, request, { id })
  const isOurs = status >= 500
  // What the server is too busy for, or has reported once already, has no line of this request yet.
  if (isOurs && !isLogged) log('warning', 'page refused', { method: request.method, reason: message, id })
  const content = errorPage(site, { status, message, id: isOurs ? id : null })
  const page = gatePage({ site, account: reader?.account ?? null, done: null, content })
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
