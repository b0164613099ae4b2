/** The cookie of a session (RFC 6265). */
import { LONGEST_SECONDS } from '../../domain/account/session.ts'

const NAME = 'overdue_session'

/** What limits a cookie: where it is sent. */
export interface CookiePlace {
  /** the path of SITE_ROOT, or `/` */
  readonly path: string
  /** true: never sent over http */
  readonly isSecure: boolean
}

/** The token of the session; null when the browser sent none. */
export function readSessionCookie(headers: Headers): string | null {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  // Of two cookies with the name, the one with the longer path comes first.
  return pairs.find((pair) => pair.startsWith(`${NAME}=`))?.slice(NAME.length + 1) ?? null
}

/** A `Set-Cookie` that starts a session. @param token from `makeToken` */
export function sessionCookie(token: string, place: CookiePlace): string {
  return write(token, LONGEST_SECONDS, place)
}

/** A `Set-Cookie` that removes the token from the browser. */
export function endedSessionCookie(place: CookiePlace): string {
  return write('', 0, place)
}

/**
 * Where the cookie of a sign-in belongs.
 * @param siteRoot SITE_ROOT
 * @param scheme of the client's connection, as trusted proxies tell
 */
export function cookiePlace(request: Request, siteRoot: string, scheme: 'http' | 'https'): CookiePlace {
  // A proxy that is not trusted can't tell the scheme, but the browser's Origin does.
  const isSecure = scheme === 'https' || request.headers.get('origin')?.startsWith('https://') === true
  return { path: new URL(siteRoot).pathname, isSecure }
}

function write(value: string, seconds: number, { path, isSecure }: CookiePlace): string {
  const words = [`${NAME}=${value}`, `Path=${path}`, `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Lax']
  return [...words, ...(isSecure ? ['Secure'] : [])].join('; ')
}
