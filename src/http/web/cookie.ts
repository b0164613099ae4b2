/** Reads and writes cookies (RFC 6265): the session cookie, and cookies for single pages. */
import { LONGEST_SECONDS } from '../../domain/account/session.ts'
import type { Deps } from '../../services/common/deps.ts'
import type { Client } from '../client.ts'
import type { Visit } from './route.ts'

const NAME = 'overdue_session'

/** A cookie's scope. */
interface CookiePlace {
  /** the cookie's path, including SITE_ROOT's path */
  readonly path: string
  /** true if the browser must never send the cookie over plain HTTP */
  readonly isSecure: boolean
}

/** Returns the session token; null if the browser did not send a session cookie. */
export function readSessionCookie(headers: Headers): string | null {
  return readCookie(headers, NAME)
}

/** Returns a cookie's value; null if the browser did not send a cookie with that name. */
export function readCookie(headers: Headers, name: string): string | null {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  // If two cookies have this name, the browser sends the cookie with the longer path first.
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null
}

/**
 * Returns a `Set-Cookie` that starts a session.
 * @param token from `makeToken`
 */
export function sessionCookie(token: string, place: CookiePlace): string {
  return setCookie({ name: NAME, value: token, seconds: LONGEST_SECONDS, place })
}

/** Returns a `Set-Cookie` that removes the token from the browser. */
export function endedSessionCookie(place: CookiePlace): string {
  return setCookie({ name: NAME, value: '', seconds: 0, place })
}

/**
 * Returns a cookie's scope.
 * @param path path of the only page that receives the cookie; by default, all pages below SITE_ROOT receive it
 */
export function cookiePlace(
  { site }: Pick<Deps, 'site'>,
  { request, client }: Pick<Visit, 'request'> & { readonly client: Pick<Client, 'scheme'> },
  path = new URL(site.links.siteRoot).pathname,
): CookiePlace {
  // An untrusted proxy's scheme header is ignored, but the browser's Origin header also contains the scheme.
  const isSecure = client.scheme === 'https' || request.headers.get('origin')?.startsWith('https://') === true
  return { path, isSecure }
}

interface Cookie {
  readonly name: string
  /** the cookie's value, in characters that RFC 6265 allows */
  readonly value: string
  /** time until the browser deletes the cookie, in seconds; 0 deletes it immediately */
  readonly seconds: number
  readonly place: CookiePlace
}

/** Returns a `Set-Cookie` that scripts can't read. */
export function setCookie({ name, value, seconds, place: { path, isSecure } }: Cookie): string {
  const words = [`${name}=${value}`, `Path=${path}`, `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Lax']
  return [...words, ...(isSecure ? ['Secure'] : [])].join('; ')
}
