/**
 * Checks that a form was sent from a page of this server. A page of another site could send a form too, and the browser would add the
 * reader's cookie.
 */

/**
 * Compares the `Origin` header with the origin of this server. A request without `Origin` is refused, because every browser sends it with a
 * POST.
 * @param headers the headers of the request
 * @param siteRoot SITE_ROOT
 * @param scheme the scheme of the client's connection, as reported by trusted proxies
 */
export function isOwnOrigin(headers: Headers, siteRoot: string, scheme: 'http' | 'https'): boolean {
  const origin = originOf(headers.get('origin'))
  if (origin === null) return false
  const host = headers.get('host')
  return origin === originOf(siteRoot) || (host !== null && origin === originOf(`${scheme}://${host}`))
}

/**
 * Returns the origin of a URL, without a default port. Returns null for a text that is not a URL, and for `null`, which pages without an
 * origin send.
 */
function originOf(text: string | null): string | null {
  const origin = text === null ? null : URL.parse(text)?.origin
  return origin === undefined || origin === 'null' ? null : origin
}
