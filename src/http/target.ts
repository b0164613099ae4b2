/** What a request asks for and how to ask for it anew; the Host it names may hold anything and is never looked at. */

const ORIGIN = /^[a-z]+:\/\/[^/?#]*/i

/** The path and query of a request. Bun passes on a Host that is none, and no origin at all where a client names none. */
export function targetOf(request: Request): URL {
  const target = request.url.replace(ORIGIN, '')
  return new URL(`http://localhost${target.startsWith('/') ? '' : '/'}${target}`)
}

/** What the `*` of a route stands for; nothing when a request spells it out and adds a slash, which the framework lets in. */
export function restOf(params: { readonly '*'?: string | undefined }): string {
  return params['*'] ?? ''
}

const originals = new WeakMap<Request, Request>()

/** The same request for another URL. @returns null when it was sent on already */
export function sendOn(request: Request, url: URL): Request | null {
  if (originals.has(request)) return null
  const again = new Request(url.href, request)
  originals.set(again, request)
  return again
}

/** The request that came in over the socket: only that one has a client. */
function originalOf(request: Request): Request {
  return originals.get(request) ?? request
}

/** The sockets that requests come over, as far as the web framework tells of them. */
export interface Sockets {
  requestIP(request: Request): { readonly address: string } | null
}

/**
 * What the connection itself says of who is at its other end; null when it cannot be told, as once the client has hung up.
 * @param sockets null where there is no socket
 */
export function socketAddressOf(request: Request, sockets: Sockets | null): string | null {
  return sockets?.requestIP(originalOf(request))?.address ?? null
}
