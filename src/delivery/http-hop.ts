/** Requests and redirect targets (RFC 9110, 15.4). This module is pure: `http.ts` makes the connections. */
import { redact } from '../domain/redaction.ts'
import { within } from '../lib/text/text.ts'

/** A single request. Each redirect creates the next one. */
export interface Hop {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly body: Uint8Array | null
}

/** @throws any error of the request's body stream */
export async function firstHop(request: Request): Promise<Hop> {
  const body = await request.bytes()
  const headers = new Headers(request.headers)
  if (!headers.has('user-agent')) headers.set('user-agent', 'Overdue')
  return withCredentials({
    url: new URL(request.url),
    method: request.method,
    headers,
    body: request.body === null ? null : body,
  })
}

/** Converts `user:password@` in the URL to Basic authorization, unless the request has its own. */
function withCredentials(hop: Hop): Hop {
  const { username, password } = hop.url
  if ((username === '' && password === '') || hop.headers.has('authorization')) return hop
  const headers = new Headers(hop.headers)
  headers.set('authorization', `Basic ${btoa(`${latin1(username)}:${latin1(password)}`)}`)
  return { ...hop, headers }
}

/** Percent-decodes a text to one character per byte, as `btoa` expects. */
function latin1(percentEncoded: string): string {
  return percentEncoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** Headers that may be sent to another receiver. Any other header might contain a secret for the first receiver. */
const HARMLESS = new Set(['accept', 'accept-encoding', 'accept-language', 'user-agent'])

function isAboutBody(name: string): boolean {
  return name.startsWith('content-')
}

/** The next step after an answer. */
export type Step =
  /** the answer is final */
  | { readonly kind: 'final' }
  | { readonly kind: 'follow'; readonly hop: Hop }
  /** a redirect that is not followed; the error shows only the safe part of the new URL */
  | { readonly kind: 'refused'; readonly error: string }
  | { readonly kind: 'bad-location' }
  | { readonly kind: 'bad-scheme' }

/**
 * Decides the next step after an answer. Rejects redirects that change the method: the next request would contain no message, so its status
 * 200 would be mistaken for a delivery. Never forwards a message from https to http.
 * @param location the header as node:http reads it, one character per byte
 */
export function nextStep(hop: Hop, status: number, location: string | undefined): Step {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return { kind: 'final' }
  // Many servers send UTF-8 in this header without percent-encoding it.
  const text = Buffer.from(location, 'latin1').toString()
  if (!URL.canParse(text, hop.url.href)) return { kind: 'bad-location' }
  const url = new URL(text, hop.url)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { kind: 'bad-scheme' }
  const advice = refusal(hop, status, url)
  if (advice !== null)
    return { kind: 'refused', error: `Received status code ${status}, ${whereTo(hop.url, url)}: ${advice}` }
  return { kind: 'follow', hop: withCredentials({ ...hop, url, headers: headersFor(hop, url) }) }
}

/** Returns advice about a redirect that is not followed; null if it is followed. */
function refusal({ url: from, method }: Hop, status: number, to: URL): string | null {
  // This rule applies to GET too: a webhook's URL may contain the message, and receivers copy the message into the new URL.
  if (from.protocol === 'https:' && to.protocol === 'http:') return 'messages are not forwarded from https to http'
  if (method === 'GET' || method === 'HEAD' || status >= 307) return null
  if (status === 303) return `use a URL that accepts ${method}`
  return isSameReceiver(from, to) && isSamePath(from, to) ? null : 'use the new URL'
}

/** Returns whether two URLs have the same receiver. `URL.host` omits the scheme's default port. */
function isSameReceiver(from: URL, to: URL): boolean {
  return to.host === from.host && (to.protocol === from.protocol || to.protocol === 'https:')
}

function isSamePath(from: URL, to: URL): boolean {
  return to.pathname === from.pathname && to.search === from.search
}

const HOST_LIMIT = 60

/** Describes a redirect without its path and query, which may contain keys. More users can read the error than the settings. */
function whereTo(from: URL, to: URL): string {
  const origin = within(redact(to.origin), HOST_LIMIT)
  if (isSamePath(from, to)) return `redirected to ${origin} with the same path`
  if (to.pathname === `${from.pathname}/`) return `redirected to ${origin} with a slash at the end of the path`
  return `redirected to ${origin} with ${to.pathname === from.pathname ? 'another query' : 'another path'}`
}

/** Returns all headers if the receiver is the same, even after an upgrade to https. Otherwise returns only the harmless ones. */
function headersFor(hop: Hop, url: URL): Headers {
  const isElsewhere = !isSameReceiver(hop.url, url)
  const headers = new Headers()
  for (const [name, value] of hop.headers) {
    if (!isElsewhere || isAboutBody(name) || HARMLESS.has(name)) headers.append(name, value)
  }
  return headers
}

/** Headers that concern only one connection (RFC 9110, 7.6.1), and the length, which is computed here. */
const NOT_PASSED_ON = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Returns alternating names and values, which node:http sends unchanged. */
export function wireHeaders({ url, method, headers, body }: Hop): string[] {
  const wire = ['Host', headers.get('host') ?? url.host]
  for (const [name, value] of headers) {
    if (!NOT_PASSED_ON.has(name)) wire.push(name, value)
  }
  if (body !== null) wire.push('Content-Length', String(body.length))
  else if (method !== 'GET' && method !== 'HEAD') wire.push('Content-Length', '0')
  return wire
}
