/**
 * A secret that the next page shows once. It comes in a cookie that only this page gets and that ends with it, so that a reload
 * makes no second one and shows none.
 */
import type { Deps } from '../../services/common/deps.ts'
import { cookiePlace, readCookie, setCookie } from './cookie.ts'
import type { PageAnswer, Visit } from './route.ts'

/** Where it is shown. */
export interface OncePlace {
  /** of the cookie */
  readonly name: string
  /** of the page, a local path */
  readonly path: string
}

type OnceDeps = Pick<Deps, 'site'>

const SECONDS = 60

/** Leads to the page. @param secret letters, digits and what else a cookie may hold */
export function toShownOnce(deps: OnceDeps, visit: Visit, place: OncePlace, secret: string): PageAnswer {
  return { kind: 'redirect', to: place.path, cookie: onceCookie(deps, visit, place, secret, SECONDS) }
}

interface ShownOnce {
  /** null once it was shown; otherwise whatever the browser sent */
  readonly secret: string | null
  /** for the answer of the page: ends the secret */
  readonly ending: { readonly cookie?: string }
}

export function takeShownOnce(deps: OnceDeps, visit: Visit, place: OncePlace): ShownOnce {
  const secret = readCookie(visit.request.headers, place.name)
  return { secret, ending: secret === null ? {} : { cookie: onceCookie(deps, visit, place, '', 0) } }
}

function onceCookie(
  { site }: OnceDeps,
  visit: Visit,
  { name, path }: OncePlace,
  value: string,
  seconds: number,
): string {
  const { isSecure } = cookiePlace(visit.request, site.links.siteRoot, visit.client.scheme)
  return setCookie({ name, value, seconds, place: { path: visit.site.href(path), isSecure } })
}
