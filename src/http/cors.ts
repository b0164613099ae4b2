/** The headers that let pages of other origins use the API (behaviour of the peer, 1.4). */

/** @param methods those that the path answers, `OPTIONS` aside */
export function crossOrigin(methods: readonly string[]): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'X-Api-Key',
    'access-control-allow-methods': [...methods, 'OPTIONS'].join(', '),
    'access-control-max-age': '600',
  }
}
