/** Cookies (RFC 6265): the session's, and those of other pages. */
import { LONGEST_SECONDS } from '../../domain/account/session.ts'
import type { Deps } from '../../services/common/deps.ts'
import type { Client } from '../client.ts'
import type { Visit } from './route.ts'

const NAME = 'overdue_session'

/** The scope of a cookie. */
interface CookiePlace {
  /** includes the path of SITE_ROOT */
  readonly path: string
  /** true: never sent over http */
  readonly isSecure: boolean
}

/** Returns the token of the session; null if the browser sent none. */
export function readSessionCookie(headers: Headers): string | null {
  return readCookie(headers, NAME)
}

/** Returns the value of a cookie; null if the browser sent none of that name. */
export function readCookie(headers: Headers, name: string): string | null {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  // Of two cookies with the name, the one with the longer path is sent first.
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null
}

/** Returns a `Set-Cookie` that starts a session. @param token from `makeToken` */
export function sessionCookie(token: string, place: CookiePlace): string {
  return setCookie({ name: NAME, value: token, seconds: LONGEST_SECONDS, place })
}

/** Returns a `Set-Cookie` that removes the token from the browser. */
export function endedSessionCookie(place: CookiePlace): string {
  return setCookie({ name: NAME, value: '', seconds: 0, place })
}

/** Returns the scope of a cookie. @param path the path of the only page that gets it; by default that of SITE_ROOT: all pages get it */
export function cookiePlace(
  { site }: Pick<Deps, 'site'>,
  { request, client }: Pick<Visit, 'request'> & { readonly client: Pick<Client, 'scheme'> },
  path = new URL(site.links.siteRoot).pathname,
): CookiePlace {
  // An untrusted proxy can't report the scheme, but the browser's Origin does.
  const isSecure = client.scheme === 'https' || request.headers.get('origin')?.startsWith('https://') === true
  return { path, isSecure }
}

interface Cookie {
  readonly name: string
  /** letters, digits and other characters that RFC 6265 allows */
  readonly value: string
  /** seconds for which the browser keeps the cookie; 0 removes it */
  readonly seconds: number
  readonly place: CookiePlace
}

/** Returns a `Set-Cookie` that scripts can't read. */
export function setCookie({ name, value, seconds, place: { path, isSecure } }: Cookie): string {
  const words = [`${name}=${value}`, `Path=${path}`, `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Lax']
  return [...words, ...(isSecure ? ['Secure'] : [])].join('; ')
}
