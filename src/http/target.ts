/** The target of a request: its path and query. Nothing here reads Host, which may hold anything. */

const ORIGIN = /^[a-z]+:\/\/[^/?#]*/i

/** Returns the path and query of a request. Bun's `url` holds invalid hosts unchanged, and no origin if the client sends none. */
export function targetOf(request: Request): URL {
  const target = request.url.replace(ORIGIN, '')
  return new URL(`http://localhost${target.startsWith('/') ? '' : '/'}${target}`)
}

/** Returns the match of a route's `*`. Elysia gives no value for a path that ends in a literal `*` and a slash. */
export function restOf(params: { readonly '*'?: string | undefined }): string {
  return params['*'] ?? ''
}

const originals = new WeakMap<Request, Request>()

/** Returns the same request with another URL; null if it already has another one. */
export function withUrl(request: Request, url: URL): Request | null {
  if (originals.has(request)) return null
  const again = new Request(url.href, request)
  originals.set(again, request)
  return again
}

/** Returns the request that was received over the socket: only that one has a client. */
export function originalOf(request: Request): Request {
  return originals.get(request) ?? request
}
