/**
 * The page that a visitor wanted to open before signing in. Every sign-in step and every emailed link carries its path in the `next`
 * parameter.
 */

/**
 * Maximum length of `next` in an email. It is limited because strangers can trigger these emails. If `next` is longer, the link leads to
 * the start page.
 */
const MAILED_CHARACTERS = 500

/**
 * Adds `next` to an address's query string.
 * @param address a path or a URL without a query
 * @param next a local path; null and the start page are omitted
 */
export function withNext(address: string, next: string | null): string {
  return next === null || next === '/' ? address : `${address}?${new URLSearchParams({ next })}`
}

/** Returns a link for an email. After the last step, the user is sent to `next`; see {@link withNext}. */
export function mailedWithNext(url: string, next: string | null): string {
  return withNext(url, next === null || next.length > MAILED_CHARACTERS ? null : next)
}
