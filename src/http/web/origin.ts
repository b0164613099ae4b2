/**
 * Checks that a form was submitted from one of this server's pages. Without this check, another site's page could submit a form, and the
 * browser would add the reader's cookie.
 */

/**
 * Compares the `Origin` header with this server's origin. A request without `Origin` is rejected, because every browser sends the header
 * with a POST.
 * @param headers the request headers
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
 * Returns a URL's origin, without a default port. Returns null for text that is not a URL, including the literal `null` that pages without
 * an origin send.
 */
function originOf(text: string | null): string | null {
  const origin = text === null ? null : URL.parse(text)?.origin
  return origin === undefined || origin === 'null' ? null : origin
}
