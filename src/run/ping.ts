/** Sends a run's pings. */
import { reasonOf } from '../lib/errors.ts'

/** A check as named on the job's command line. */
export type PingTarget =
  | { readonly kind: 'uuid'; readonly uuid: string }
  | { readonly kind: 'slug'; readonly slug: string }
  /** a complete ping URL, without an action */
  | { readonly kind: 'url'; readonly url: string }

/**
 * Settings for the check that the server creates if the slug does not exist yet. Their names are those of the query parameters `schedule=`,
 * `tz=` and `grace=`.
 */
export interface CreateSpec {
  readonly schedule: string
  readonly tz: string | null
  readonly grace: string | null
}

export interface RunPing {
  readonly target: PingTarget
  /** null if the server must not create a check */
  readonly create: CreateSpec | null
  /** a number is the command's exit status */
  readonly action: 'start' | 'fail' | 'log' | number
  /** UUID that identifies the run */
  readonly rid: string
  /** time of the event, in milliseconds since 1970 */
  readonly at: number
  readonly body: Uint8Array
}

/** Server that resolves UUIDs and slugs to checks. */
export interface PingServer {
  /** OVERDUE_URL; null if it is not set */
  readonly url: string | null
  /** ping key for slugs; null if it is not set */
  readonly pingKey: string | null
}

export type Answer =
  /** `bodyLimit`: maximum size of a body that the server keeps, in bytes; null if there is no limit */
  | { readonly kind: 'taken'; readonly bodyLimit: number | null }
  /** The server rejected the ping and will never accept it. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** No server accepted or rejected this ping, so it must be sent again. */
  | { readonly kind: 'away'; readonly reason: string }

interface SendOptions {
  /** time limit in milliseconds for connecting, sending and receiving the answer together */
  readonly timeout: number
  /** True if the ping is sent late and must include the time of its event. */
  readonly isLate: boolean
  readonly userAgent: string
}

export type SendPing = (ping: RunPing, server: PingServer, options: SendOptions) => Promise<Answer>

/** Sends a ping once. Never throws. */
export const sendPing: SendPing = async (ping, server, options) => {
  const url = pingUrl(ping, server, options.isLate)
  if (url === null) return { kind: 'refused', reason: missingOf(ping.target, server) }
  const signal = AbortSignal.timeout(options.timeout)
  try {
    return await answerOf(await post(url, ping.body, options.userAgent, signal))
  } catch (error) {
    return { kind: 'away', reason: signal.aborted ? `no answer within ${options.timeout} ms` : reasonOf(error) }
  }
}

/** @returns null if the server's address or the ping key is missing or invalid */
export function pingUrl({ target, create, action, rid, at }: RunPing, server: PingServer, isLate: boolean): URL | null {
  const url = checkUrl(target, server)
  if (url === null) return null
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${action}`
  url.searchParams.set('rid', rid)
  if (isLate) url.searchParams.set('at', String(at))
  if (create !== null) {
    const { schedule, tz, grace } = create
    for (const [name, value] of Object.entries({ create: '1', schedule, tz, grace })) {
      if (value !== null) url.searchParams.set(name, value)
    }
  }
  return url
}

/** Returns a check's ping URL, without an action. */
function checkUrl(target: PingTarget, { url, pingKey }: PingServer): URL | null {
  if (target.kind === 'url') return httpUrl(target.url)
  const name = target.kind === 'uuid' ? target.uuid : pingKey && `${encodeURIComponent(pingKey)}/${target.slug}`
  return url === null || !name ? null : httpUrl(`${url.replace(/\/+$/, '')}/ping/${name}`)
}

function httpUrl(text: string): URL | null {
  const url = URL.parse(text)
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : null
}

function missingOf(target: PingTarget, server: PingServer): string {
  if (target.kind === 'url') return 'the address of the check is not an http or https URL'
  if (server.url === null || httpUrl(server.url) === null) return 'OVERDUE_URL is not the address of a server'
  return 'OVERDUE_PING_KEY is not set, and a slug needs it'
}

const REDIRECTS_MAX = 3

/**
 * Posts the ping, and posts it again after a redirect to the same host. Redirects to other hosts are not followed, because the path may
 * contain a ping key.
 */
async function post(url: URL, body: Uint8Array, userAgent: string, signal: AbortSignal): Promise<Response> {
  const headers = { 'user-agent': userAgent }
  for (let at = url, redirects = 0; ; redirects += 1) {
    const response = await fetch(at, { method: 'POST', headers, body: Buffer.from(body), redirect: 'manual', signal })
    const next = redirectOf(response, at)
    if (next === null || redirects === REDIRECTS_MAX || !isSameServer(at, next)) return response
    await response.body?.cancel()
    at = next
  }
}

function redirectOf({ status, headers }: Response, from: URL): URL | null {
  const location = status >= 300 && status < 400 ? headers.get('location') : null
  return location === null ? null : URL.parse(location, from.href)
}

function isSameServer(from: URL, to: URL): boolean {
  const isSecured = from.protocol === 'http:' && to.protocol === 'https:'
  return to.hostname === from.hostname && (to.origin === from.origin || isSecured)
}

/** Possible bodies of the server's answer to an accepted ping. A proxy or another program may also answer 200, but with another body. */
const TAKEN = ['OK', 'Created']
/** Statuses with which the server rejects a ping. Any other error status comes from a proxy in front of it. */
const REFUSED = [400, 404, 409, 413]
const NOT_FOUND = 'not found'

async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response
  const words = await wordsOf(response)
  if (response.ok && TAKEN.includes(words)) return { kind: 'taken', bodyLimit: limitOf(headers) }
  if (response.ok) return { kind: 'away', reason: `the answer ${status} is not from an Overdue server` }
  // A proxy may answer 404 while the server behind it is down.
  const isRefused = REFUSED.includes(status) && (status !== 404 || words === NOT_FOUND)
  return isRefused
    ? { kind: 'refused', reason: `${status} ${words}` }
    : { kind: 'away', reason: `the answer was ${status}${redirectWords(response)}` }
}

function redirectWords({ headers }: Response): string {
  const location = headers.get('location')
  const host = location === null ? undefined : URL.parse(location)?.host
  return host === undefined ? '' : `, a redirect to ${host}`
}

function limitOf(headers: Headers): number | null {
  const limit = headers.get('ping-body-limit')
  return limit !== null && /^\d{1,15}$/.test(limit) ? Number(limit) : null
}

const WORDS_MAX = 200

/** Reads the first line of an answer, whose content and length are not trusted. */
async function wordsOf({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  if (reader === undefined) return ''
  let bytes = Buffer.alloc(0)
  for (let isDone = false; !isDone && bytes.length < WORDS_MAX; ) {
    const piece = await reader.read()
    isDone = piece.done
    if (piece.value !== undefined) bytes = Buffer.concat([bytes, piece.value])
  }
  await reader.cancel()
  const [line = ''] = bytes.toString('utf8', 0, WORDS_MAX).trim().split('\n')
  return line.replace(/[^\x20-\x7e]/g, '?')
}
