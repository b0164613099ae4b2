/** A request on its way and what a redirect makes of it (RFC 9110, 15.4): pure, the connection is made in `http.ts`. */

/** One request on the way; every redirect makes the next. */
export interface Hop {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly body: Uint8Array | null
}

/** @throws whatever the stream of the request's body rejects with */
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

/** `user:password@` in the URL becomes Basic authorization, unless the request brings its own. */
function withCredentials(hop: Hop): Hop {
  const { username, password } = hop.url
  if ((username === '' && password === '') || hop.headers.has('authorization')) return hop
  const headers = new Headers(hop.headers)
  headers.set('authorization', `Basic ${btoa(`${latin1(username)}:${latin1(password)}`)}`)
  return { ...hop, headers }
}

/** Percent-decoded bytes as one character each, which is what `btoa` takes. */
function latin1(percentEncoded: string): string {
  return percentEncoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** What may follow a redirect to another origin; anything else might be a secret meant for the first one. */
const HARMLESS = new Set(['accept', 'accept-encoding', 'accept-language', 'user-agent'])

function isAboutBody(name: string): boolean {
  return name.startsWith('content-')
}

/**
 * Where an answer sends us; 'final' when it does not.
 * @param location the header as node:http reads it, one character a byte
 */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | 'final' | 'bad-location' {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return 'final'
  // Many servers send UTF-8 there without percent-encoding it.
  const text = Buffer.from(location, 'latin1').toString()
  if (!URL.canParse(text, hop.url.href)) return 'bad-location'
  const url = new URL(text, hop.url)
  const isRewritten = (status <= 302 && hop.method === 'POST') || (status === 303 && hop.method !== 'HEAD')
  const isElsewhere = url.origin !== hop.url.origin
  const headers = new Headers()
  for (const [name, value] of hop.headers) {
    if (isAboutBody(name) ? !isRewritten : !isElsewhere || HARMLESS.has(name)) headers.append(name, value)
  }
  return withCredentials({
    url,
    method: isRewritten ? 'GET' : hop.method,
    headers,
    body: isRewritten ? null : hop.body,
  })
}

/** Headers that speak about one connection only (RFC 9110, 7.6.1), and the length, which we count ourselves. */
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

/** Names and values in turn, as node:http takes them when nothing is to be added. */
export function wireHeaders({ url, method, headers, body }: Hop): string[] {
  const wire = ['Host', headers.get('host') ?? url.host]
  for (const [name, value] of headers) {
    if (!NOT_PASSED_ON.has(name)) wire.push(name, value)
  }
  if (body !== null) wire.push('Content-Length', String(body.length))
  else if (method !== 'GET' && method !== 'HEAD') wire.push('Content-Length', '0')
  return wire
}
