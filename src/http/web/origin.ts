/** Checks that a page of this server sent a form. A page of another site can send one too, with the reader's cookie. */

/**
 * Compares the `Origin` that the browser sent with this server's. A request without `Origin` doesn't count as ours: every browser sends it
 * with a POST.
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

/** Returns the origin of a URL without a default port; null for a text that is not a URL, and for the `null` of pages without an origin. */
function originOf(text: string | null): string | null {
  const origin = text === null ? null : URL.parse(text)?.origin
  return origin === undefined || origin === 'null' ? null : origin
}
