/** `/admin/accounts/<account>/link`: shows a newly created link for setting a password. The link is shown only once. */
import type { Account } from '../../../../../domain/account/account.ts'
import { isToken } from '../../../../../domain/account/session.ts'
import type { FreshLink } from '../../../../../services/accounts/one-time-links.ts'
import { html } from '../../../html.ts'
import type { PageDeps } from '../../../page.ts'
import { copyable } from '../../../parts/lists.ts'
import { siteNote } from '../../../parts/reach-note.ts'
import type { AccountVisit, PageAnswer } from '../../../route.ts'
import { shownOnce, toShownOnce } from '../../shown-once.ts'
import { ADMIN_TABS } from '../tabs.ts'
import { accountPath } from './paths.ts'

function placeOf({ id }: Account) {
  return { name: 'overdue_new_link', path: accountPath(id, 'link') }
}

export function toFreshLink(deps: PageDeps, visit: AccountVisit, account: Account, { url }: FreshLink): PageAnswer {
  return toShownOnce(deps, visit, placeOf(account), url.slice(url.lastIndexOf('/') + 1))
}

export function freshLinkAnswer(deps: PageDeps, visit: AccountVisit, account: Account): PageAnswer {
  const { links } = deps.site
  return shownOnce(deps, visit, placeOf(account), {
    title: 'Link for a password',
    crumbs: [
      { path: ADMIN_TABS.accounts.path, text: 'Accounts' },
      { path: accountPath(account.id), text: account.email },
    ],
    back: 'the account',
    isSecret: isToken,
    shown: (token) =>
      html`<p>Send the link to the account owner. The first person who opens it can choose the password. The link can be used once and expires after a day.</p>
${copyable(`${links.siteRoot}/password/${token}`, 'Link')}${siteNote(links, true)}`,
    ended:
      'The link has been shown already, or was created more than a minute ago. Create a new link on the account page. It replaces the first one.',
  })
}
