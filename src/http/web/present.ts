/**
 * Builds responses: pages in their layout, fragments, redirects, files, streams and errors. All of them get the headers that all pages
 * share.
 */
import { type PersonActor, rightOf } from '../../domain/actor.ts'
import type { LongReader } from '../../services/common/long-reads.ts'
import type { Sockets } from '../client.ts'
import type { HttpDeps } from '../deps.ts'
import { explain } from '../errors.ts'
import { longAnswer } from '../long-answer.ts'
import type { Auth } from './auth.ts'
import { type Html, LATER } from './html.ts'
import { errorPage } from './layout/error-page.ts'
import { framePage } from './layout/frame.ts'
import { gatePage } from './layout/gate.ts'
import type { CurrentProject } from './layout/menu.ts'
import { referenceLayout } from './layout/reference.ts'
import { wallLayout } from './layout/wall.ts'
import { chooseEncoding, pack, packPieces } from './packing.ts'
import { MENU } from './pages/index.ts'
import { readDone, withDone } from './parts/toast.ts'
import { type Refresh, readRefresh, refreshHeader } from './refresh.ts'
import type { Identity, PageAnswer, PageContent, PageSite, Route } from './route.ts'
import { cacheHeader, HTML_TYPE, SECURITY_HEADERS } from './security-headers.ts'
import { eventStream } from './stream.ts'

export type PresentDeps = Pick<HttpDeps, 'log' | 'random' | 'stopwatch' | 'longReads'> & {
  readonly auth: Auth
  /** resolves when a stream has to recheck its reader's access */
  readonly streamPause?: () => Promise<unknown>
}

/**
 * How long a stream waits between two access checks, in milliseconds. Five of these pauses add up to less than the 30 seconds after which
 * the server closes an idle connection.
 */
const STREAM_PAUSE_MS = 2_000

/** A request, and the parts of it that have already been parsed. */
export interface Asked {
  readonly request: Request
  readonly sockets: Sockets | null
  /** the request's URL, without SITE_ROOT's path */
  readonly url: URL
  readonly params: Readonly<Record<string, string>>
}

/** The user for whom a page is rendered. */
export interface Reader extends Identity {
  /** the user's rights in the page's project */
  readonly actor?: PersonActor
}

/** The context for building a response. */
export interface Occasion {
  readonly site: PageSite
  readonly asked: Asked
  /** the user who sent the request; null if nobody is signed in, or if the route is public */
  readonly reader: Reader | null
  /** route settings that affect the route's responses */
  readonly route: Pick<Route, 'cache' | 'isPacked' | 'menu' | 'help'>
  /**
   * Returns whether the user would be allowed to open the stream again. Called while the stream runs.
   * @param also an additional condition for the stream to continue
   */
  readonly mayGoOn: (also: (now: Identity | null) => Promise<boolean>) => Promise<boolean>
}

export async function present(deps: PresentDeps, occasion: Occasion, given: PageAnswer): Promise<Response> {
  const { site, asked, mayGoOn } = occasion
  const answer = 'layout' in given ? ({ kind: 'page', page: given } as const) : given
  const { status = 200 } = 'status' in answer ? answer : {}
  const cache = cacheHeader(status < 400 ? occasion.route.cache : 'no-store')
  if (answer.kind === 'page') {
    const refresh = refreshOf(asked, answer.page)
    // A page that deletes a cookie shows the secret that was in it.
    const isOnce = asked.request.method === 'POST' || answer.cookie !== undefined
    const page = await layOut(deps, occasion, answer.page, { refresh, isOnce })
    const own = { ...refreshHeader(refresh), ...answer.headers, ...cookieHeader(answer.cookie) }
    const headers = { ...SECURITY_HEADERS, ...HTML_TYPE, ...cache, ...own }
    return sendPage(deps, occasion, { page, later: answer.later ?? null, status, headers })
  }
  if (answer.kind === 'redirect') {
    const { done, to } = answer
    const path = done === undefined ? to : withDone(to, typeof done === 'string' ? { code: done } : done)
    return redirect(site.href(path), cookieHeader(answer.cookie))
  }
  if (answer.kind === 'leave') return redirect(answer.to, cookieHeader(answer.cookie))
  if (answer.kind === 'resend') return redirect(site.href(answer.to), {}, 307)
  if (answer.kind === 'fragment') {
    return new Response(answer.fragment.text, { headers: { ...SECURITY_HEADERS, ...HTML_TYPE, ...cache } })
  }
  if (answer.kind === 'file') {
    const body = status === 304 ? null : answer.body
    return new Response(body, { status, headers: { ...SECURITY_HEADERS, ...cache, ...answer.headers } })
  }
  if (answer.kind === 'download') {
    const headers = { ...SECURITY_HEADERS, ...cache, ...answer.headers }
    if (asked.request.method === 'HEAD') return new Response(null, { headers })
    return longAnswer(deps, longReader(occasion), answer.pieces, headers)
  }
  const { streamPause = () => Bun.sleep(STREAM_PAUSE_MS) } = deps
  const { method, signal } = asked.request
  const { events, mayGoOn: also = async () => true } = answer
  const rules = { mayGoOn: () => mayGoOn(also), pause: streamPause, signal }
  const body = method === 'HEAD' ? null : eventStream(events, rules)
  // Proxies that buffer responses would delay messages.
  const type = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }
  return new Response(body, { headers: { ...SECURITY_HEADERS, ...cacheHeader('no-store'), ...type } })
}

interface SentPage {
  readonly page: Html
  readonly later: AsyncGenerator<Html> | null
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** Returns the account that long responses count against. All users who are not signed in count as one account. */
function longReader({ reader }: Occasion): LongReader {
  return { accountId: reader?.account.id ?? '' }
}

async function sendPage(deps: PresentDeps, occasion: Occasion, sent: SentPage): Promise<Response> {
  const { asked, route } = occasion
  const { page, later, status } = sent
  const encoding = route.isPacked ? chooseEncoding(asked.request.headers.get('accept-encoding')) : null
  const packing = {
    ...(route.isPacked ? { vary: 'accept-encoding' } : {}),
    ...(encoding === null ? {} : { 'content-encoding': encoding }),
  }
  const headers = { ...sent.headers, ...packing }
  if (later !== null) {
    const pieces = inPieces(page, later)
    return longAnswer(deps, longReader(occasion), encoding === null ? pieces : packPieces(pieces, encoding), headers)
  }
  const body = encoding === null ? page.text : await pack(new TextEncoder().encode(page.text), encoding)
  return new Response(body, { status, headers })
}

async function* inPieces({ text }: Html, later: AsyncGenerator<Html>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const [before = '', after = ''] = text.split(LATER.text)
  yield encoder.encode(before)
  for await (const piece of later) yield encoder.encode(piece.text)
  yield encoder.encode(after)
}

/** Returns the links for automatic reloading. @returns null for a page whose content does not change */
function refreshOf({ request, url }: Asked, content: PageContent): Refresh | null {
  if (request.method === 'POST' || (content.layout !== 'frame' && content.layout !== 'wall')) return null
  if (content.live === undefined) return null
  return readRefresh(readDone(url)?.back ?? url.pathname + url.search)
}

async function layOut(
  { auth }: PresentDeps,
  { site, asked, reader, route }: Occasion,
  content: PageContent,
  { refresh, isOnce }: { readonly refresh: Refresh | null; readonly isOnce: boolean },
): Promise<Html> {
  const done = readDone(asked.url)
  if (content.layout === 'reference') return referenceLayout(site, content)
  if (content.layout === 'gate') return gatePage({ site, account: reader?.account ?? null, done, content })
  if (content.layout === 'wall' && reader === null) {
    return wallLayout({ site, account: null, down: 0, refresh, content })
  }
  if (reader === null) throw new Error('a page with the menu needs a signed-in person')
  const { account, person, actor } = reader
  const projects = await auth.listProjects(person)
  if (content.layout === 'wall') {
    const down = projects.reduce((sum, each) => sum + each.down, 0)
    return wallLayout({ site, account, down, refresh, content })
  }
  const [only, ...others] = projects
  const entered = !actor && only && others.length === 0 ? await auth.findProject(person, only.slug) : null
  const project = actor ? currentProject(actor) : null
  const onlyProject = entered ? currentProject(entered) : null
  const place = actor ?? entered
  const undelivered = place === null ? 0 : await auth.countUndelivered(place.project.id)
  const advised = place === null ? 0 : await auth.countAdvised(place.project.id)
  const places = { menu: MENU, here: route.menu ?? null, help: content.help ?? route.help ?? null }
  return framePage({
    site,
    account,
    project,
    onlyProject,
    projects,
    undelivered,
    advised,
    done,
    refresh,
    isOnce,
    content,
    ...places,
  })
}

function currentProject(actor: PersonActor): CurrentProject {
  const { slug, name } = actor.project
  return { slug, name, right: rightOf(actor) }
}

/** Returns an error response. It does not use the store, so it can report that the store is unusable. */
export function answerError(
  { log, random }: PresentDeps,
  { site, request, reader }: Pick<Occasion, 'site' | 'reader'> & Pick<Asked, 'request'>,
  error: unknown,
): Response {
  // Use only the beginning of a UUID, because the log removes complete UUIDs, which may be ping URLs.
  const id = random.uuid().slice(0, 13)
  const { status, message, headers, isLogged } = explain(error, log, request, { id })
  const isOurs = status >= 500
  // This request may not have a log line yet: overload is not logged, and some errors are logged once for many requests.
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

export function toConfirm(site: PageSite, next: string): Response {
  return redirect(`${site.href('/confirm')}?${new URLSearchParams({ next })}`)
}

function redirect(location: string, more: Readonly<Record<string, string>> = {}, status = 303): Response {
  const headers = { ...SECURITY_HEADERS, ...cacheHeader('no-store'), ...more, location }
  return new Response(null, { status, headers })
}

function cookieHeader(cookie: string | undefined): Readonly<Record<string, string>> {
  return cookie === undefined ? {} : { 'set-cookie': cookie }
}
