/**
 * The page that a visitor wanted to open before signing in. Every step of the sign-in, including mailed links, carries its path as `next`.
 */

/** Maximum length of `next` in an email, because strangers can trigger these emails. A link with a longer one leads to the start page. */
const MAILED_CHARACTERS = 500

/**
 * Adds `next` to an address.
 * @param address a path or a URL without a query
 * @param next a local path; null and the start page are omitted
 */
export function withNext(address: string, next: string | null): string {
  return next === null || next === '/' ? address : `${address}?${new URLSearchParams({ next })}`
}

/** Returns a mailed link that leads to `next` after the last step; see {@link withNext}. */
export function mailedWithNext(url: string, next: string | null): string {
  return withNext(url, next === null || next.length > MAILED_CHARACTERS ? null : next)
}
