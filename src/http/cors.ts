/** CORS headers, which allow pages from other origins to call the API and send pings. */

const MAX_AGE_SECONDS = '600'

/**
 * @param methods the path's methods, without `OPTIONS`
 * @param request only a preflight that requests `Content-Type` gets that header; the other headers are the same as in Healthchecks
 */
export function crossOrigin(methods: readonly string[], request?: Request): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': request && asksForContentType(request) ? 'X-Api-Key, Content-Type' : 'X-Api-Key',
    'access-control-allow-methods': [...methods, 'OPTIONS'].join(', '),
    'access-control-max-age': MAX_AGE_SECONDS,
  }
}

/**
 * Returns whether a preflight requests permission to send `Content-Type`. Browsers send such a preflight before a page sends JSON (Fetch
 * standard, CORS-safelisted request-header).
 */
function asksForContentType({ method, headers }: Request): boolean {
  if (method !== 'OPTIONS') return false
  const asked = headers.get('access-control-request-headers') ?? ''
  return asked.split(',').some((name) => name.trim().toLowerCase() === 'content-type')
}

/** CORS headers for pings. They allow every method and every header, because tracing libraries add their own headers. */
export const CROSS_ORIGIN_PINGS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': '*',
  'access-control-max-age': MAX_AGE_SECONDS,
} as const
