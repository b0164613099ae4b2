/** The page that somebody asked for before signing in. It goes along as `next` through every step, also those in an email. */

/** Longer ones are left out of emails, which strangers can have sent: the link leads to the start then. */
const MAILED_CHARACTERS = 500

/** @param address a path or a URL without a query @param next a local path; null or the start: it is not named */
export function withNext(address: string, next: string | null): string {
  return next === null || next === '/' ? address : `${address}?${new URLSearchParams({ next })}`
}

/** A link in an email that leads to `next` in the end; as {@link withNext}. */
export function mailedWithNext(url: string, next: string | null): string {
  return withNext(url, next === null || next.length > MAILED_CHARACTERS ? null : next)
}
