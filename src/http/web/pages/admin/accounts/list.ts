/** The list of accounts, for administrators. */
import type { AccountPage, ListedAccount } from '../../../../../services/accounts/administration.ts'
import type { PageContext } from '../../../context.ts'
import { type Html, html } from '../../../html.ts'
import { empty } from '../../../parts/empty.ts'
import { linkButton, submit } from '../../../parts/forms/buttons.ts'
import { icon } from '../../../parts/icons.ts'
import { bdi } from '../../../parts/words/text.ts'
import { relativeTime, zoneLine } from '../../../parts/words/times.ts'
import type { FrameContent } from '../../../route.ts'
import { ADMIN_TABS, adminTabs } from '../tabs.ts'
import { accountPath, NEW_ACCOUNT } from './paths.ts'

interface AccountsData extends PageContext {
  /** text to search for; '' lists all accounts */
  readonly text: string
  readonly page: AccountPage
}

export const TEXT_LIMIT = 200

export function accountsPage(data: AccountsData): FrameContent {
  const { href, text, page, tz } = data
  const { accounts, next } = page
  const rows = accounts.map((listed) => row(data, listed))
  const more = next && href(`${ADMIN_TABS.accounts.path}?${new URLSearchParams({ q: text, after: next })}`)
  const table = html`<div class="card scroll" tabindex="0" role="group" aria-label="Accounts"><table class="table stacks"><thead><tr><th scope="col">Email</th><th scope="col">Administrator</th><th scope="col">Projects</th><th scope="col">Authenticator app</th><th scope="col">Last seen</th><th scope="col">Created</th></tr></thead><tbody>
${rows}</tbody></table></div>`
  return {
    layout: 'frame',
    title: ADMIN_TABS.accounts.title,
    actions: linkButton({ text: 'New account', icon: 'plus', href: href(NEW_ACCOUNT) }),
    body: html`<div class="stack">${adminTabs(href, 'accounts')}<div>${searchForm(data)}
${rows.length > 0 ? table : nothing(data)}
${more !== null && html`<p class="rest">${linkButton({ text: 'More accounts', href: more })}</p>`}${zoneLine(tz)}</div></div>`,
  }
}

function searchForm({ href, text }: AccountsData): Html {
  return html`<form class="filters" role="search" action="${href(ADMIN_TABS.accounts.path)}" aria-label="Search accounts"><div class="search">${icon('search')}<input class="in" type="search" name="q" value="${text}" maxlength="${TEXT_LIMIT}" aria-label="Part of the email" placeholder="Part of the email" autocomplete="off" spellcheck="false" autocapitalize="none" data-key="/"><kbd aria-hidden="true">/</kbd></div>${submit({ text: 'Search' })}</form>`
}

function nothing({ href, text }: AccountsData): Html {
  if (text === '') return html`<p class="rest">There are no more accounts.</p>`
  const clear = linkButton({ text: 'Show all', href: href(ADMIN_TABS.accounts.path) })
  return empty({ title: 'No account matches', text: 'No email contains this text.', actions: clear })
}

function row({ href, now, tz }: AccountsData, { account, places }: ListedAccount): Html {
  const { id, email, isAdministrator, isSuspended, totp, lastSeenAt, createdAt } = account
  const seen = lastSeenAt === null ? html`<span class="muted">never</span>` : relativeTime(lastSeenAt, now, tz)
  return html`<tr><th scope="row"><a href="${href(accountPath(id))}">${bdi(email)}</a>${isSuspended && html` <small class="muted">suspended</small>`}</th><td data-name="Administrator">${isAdministrator ? 'yes' : html`<span class="muted">no</span>`}</td><td data-name="Projects">${places}</td><td data-name="Authenticator app">${totp === null ? 'none' : 'set up'}</td><td data-name="Last seen">${seen}</td><td data-name="Created">${relativeTime(createdAt, now, tz)}</td></tr>
`
}
