/** The headers that let pages of other origins use the API, and ping. */

const MAX_AGE_SECONDS = '600'

/**
 * @param methods those that the path answers, `OPTIONS` aside
 * @param request a preflight that asks for `Content-Type` may send it; all other answers are Healthchecks' to the byte
 */
export function crossOrigin(methods: readonly string[], request?: Request): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': request && asksForContentType(request) ? 'X-Api-Key, Content-Type' : 'X-Api-Key',
    'access-control-allow-methods': [...methods, 'OPTIONS'].join(', '),
    'access-control-max-age': MAX_AGE_SECONDS,
  }
}

/** A page has to ask before it posts JSON (Fetch standard, CORS-safelisted request-header). */
function asksForContentType({ method, headers }: Request): boolean {
  if (method !== 'OPTIONS') return false
  const asked = headers.get('access-control-request-headers') ?? ''
  return asked.split(',').some((name) => name.trim().toLowerCase() === 'content-type')
}

/** A ping takes every method, and pages may send any header with it: tracing libraries add their own. */
export const CROSS_ORIGIN_PINGS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': '*',
  'access-control-max-age': MAX_AGE_SECONDS,
} as const
