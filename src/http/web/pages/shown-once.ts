/**
 * A page that shows a secret once. The secret is stored in a cookie that is sent only to this page, which then deletes it. As a result,
 * reloading the page doesn't create another secret, and doesn't show this one again.
 */
import { cookiePlace, readCookie, setCookie } from '../cookie.ts'
import { START } from '../href.ts'
import { type Html, html } from '../html.ts'
import type { PageDeps } from '../page.ts'
import { linkButton } from '../parts/forms/buttons.ts'
import type { FrameContent, PageAnswer, Visit } from '../route.ts'

/** A page that shows a secret once, and the cookie that contains the secret. */
interface OncePlace {
  /** the cookie's name */
  readonly name: string
  /** the page's local path */
  readonly path: string
}

const SECONDS = 60

/** Redirects to the page. @param secret the secret, which must consist of characters that are valid in a cookie */
export function toShownOnce(deps: PageDeps, visit: Visit, place: OncePlace, secret: string): PageAnswer {
  return { kind: 'redirect', to: place.path, cookie: onceCookie(deps, visit, place, secret, SECONDS) }
}

interface OncePage extends Pick<FrameContent, 'title'> {
  readonly crumbs: NonNullable<FrameContent['crumbs']>
  /** name of the page that the back button opens, such as `the settings` */
  readonly back: string
  /** returns whether the cookie's value has the format of such a secret, because a client can forge the cookie */
  readonly isSecret: (text: string) => boolean
  readonly shown: (secret: string) => Html
  /** text to show instead of the secret after it has been shown */
  readonly ended: string
}

export function shownOnce(deps: PageDeps, visit: Visit, place: OncePlace, page: OncePage): PageAnswer {
  const { back, isSecret, shown, ended, ...head } = page
  const secret = readCookie(visit.request.headers, place.name)
  const text = secret !== null && isSecret(secret) ? shown(secret) : html`<p>${ended}</p>`
  const to = visit.site.href(page.crumbs.at(-1)?.path ?? START)
  const body = html`<div class="stack">${text}
<div class="acts">${linkButton({ text: `Go back to ${back}`, href: to })}</div></div>`
  const ending = secret === null ? {} : { cookie: onceCookie(deps, visit, place, '', 0) }
  return { kind: 'page', page: { layout: 'frame', ...head, isNarrow: true, body }, ...ending }
}

function onceCookie(deps: PageDeps, visit: Visit, { name, path }: OncePlace, value: string, seconds: number): string {
  return setCookie({ name, value, seconds, place: cookiePlace(deps, visit, visit.site.href(path)) })
}
