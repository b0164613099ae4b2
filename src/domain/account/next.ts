/** The page that a visitor requested before signing in. Every step, including links in emails, carries it as `next`. */

/** Longer targets are left out of emails, which strangers can trigger; the link then leads to the start page. */
const MAILED_CHARACTERS = 500

/** @param address a path or a URL without a query @param next a local path; null or the start page is left out */
export function withNext(address: string, next: string | null): string {
  return next === null || next === '/' ? address : `${address}?${new URLSearchParams({ next })}`
}

/** Returns a link for an email that finally leads to `next`; see {@link withNext}. */
export function mailedWithNext(url: string, next: string | null): string {
  return withNext(url, next === null || next.length > MAILED_CHARACTERS ? null : next)
}
