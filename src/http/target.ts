/** The target of a request: its path and query. This module ignores the Host header, which may contain anything. */

const ORIGIN = /^[a-z]+:\/\/[^/?#]*/i

/**
 * Returns a request's path and query. Bun's `url` contains invalid hosts unchanged, and has no origin at all if the client did not send a
 * Host.
 */
export function targetOf(request: Request): URL {
  const target = request.url.replace(ORIGIN, '')
  return new URL(`http://localhost${target.startsWith('/') ? '' : '/'}${target}`)
}

/** Returns the part of the path that matched the route's `*`. Elysia does not set a value if the path ends in a literal `*` and a slash. */
export function restOf(params: { readonly '*'?: string | undefined }): string {
  return params['*'] ?? ''
}

const originals = new WeakMap<Request, Request>()

/** Returns the same request with another URL; null if its URL has already been replaced. */
export function withUrl(request: Request, url: URL): Request | null {
  if (originals.has(request)) return null
  const again = new Request(url.href, request)
  originals.set(again, request)
  return again
}

/** Returns the request as it arrived over the socket. Only that request has a client address. */
export function originalOf(request: Request): Request {
  return originals.get(request) ?? request
}
