/**
 * `/admin/accounts/<account>/link`: shows a link for a password once. Its token comes in a cookie that only this page gets and that ends with
 * it, so that a reload makes no second link and shows none.
 */
import type { Account } from '../../../../../domain/account/account.ts'
import { isToken } from '../../../../../domain/account/session.ts'
import type { FreshLink } from '../../../../../services/accounts/one-time-links.ts'
import { cookiePlace, readCookie, setCookie } from '../../../cookie.ts'
import type { Href } from '../../../href.ts'
import { type Html, html } from '../../../html.ts'
import type { PageDeps } from '../../../page.ts'
import { linkButton } from '../../../parts/forms/buttons.ts'
import { copyable } from '../../../parts/lists.ts'
import { siteNote } from '../../../parts/reach-note.ts'
import type { AccountVisit, FrameContent, PageAnswer } from '../../../route.ts'
import { ACCOUNTS_HELP, ADMIN_TABS } from '../tabs.ts'
import { accountPath } from './paths.ts'

const NAME = 'overdue_new_link'
const SECONDS = 60

export function toFreshLink(deps: PageDeps, visit: AccountVisit, { id }: Account, { url }: FreshLink): PageAnswer {
  const token = url.slice(url.lastIndexOf('/') + 1)
  return { kind: 'redirect', to: accountPath(id, 'link'), cookie: linkCookie(deps, visit, id, token, SECONDS) }
}

function linkCookie({ site }: PageDeps, visit: AccountVisit, id: string, token: string, seconds: number): string {
  const { isSecure } = cookiePlace(visit.request, site.links.siteRoot, visit.client.scheme)
  const path = visit.site.href(accountPath(id, 'link'))
  return setCookie({ name: NAME, value: token, seconds, place: { path, isSecure } })
}

export function freshLinkAnswer(deps: PageDeps, visit: AccountVisit, account: Account): PageAnswer {
  const token = readCookie(visit.request.headers, NAME)
  const url = token !== null && isToken(token) ? `${deps.site.links.siteRoot}/password/${token}` : null
  const link = url === null ? null : html`${copyable(url, 'Link')}${siteNote(deps.site.links, true)}`
  const page = freshLinkPage(visit.site.href, account, link)
  return { kind: 'page', page, ...(token === null ? {} : { cookie: linkCookie(deps, visit, account.id, '', 0) }) }
}

/** @param link null once it was shown */
function freshLinkPage(href: Href, { id, email }: Account, link: Html | null): FrameContent {
  const text =
    link === null
      ? html`<p>The link was shown once, or made more than a minute ago. Make another one on the page of the account; the first one ends then.</p>`
      : html`<p>Send the link to its owner. Whoever opens it first chooses the password of the account. It works once, for a day.</p>
${link}`
  return {
    layout: 'frame',
    help: ACCOUNTS_HELP,
    title: 'Link for a password',
    crumbs: [
      { path: ADMIN_TABS.accounts.path, text: 'Accounts' },
      { path: accountPath(id), text: email },
    ],
    isNarrow: true,
    body: html`<div class="stack">${text}
<div class="acts">${linkButton({ text: 'Go back to the account', href: href(accountPath(id)) })}</div></div>`,
  }
}
