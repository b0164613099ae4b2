/** `/account/close`: deletes the signed-in user's account. */
import { type Closing, canClose, closeAccount, readClosing } from '../../../../services/accounts/closing.ts'
import { cookiePlace, endedSessionCookie } from '../../cookie.ts'
import type { Form } from '../../form.ts'
import { type Href, projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { isNameTyped, nameToType } from '../../parts/forms/confirm-name.ts'
import { bdi } from '../../parts/words/text.ts'
import type { AccountVisit, FrameContent, PageAnswer, Route } from '../../route.ts'
import { formPage } from '../form-page.ts'
import { again } from '../forms.ts'
import { sensitiveRoute } from '../new-route.ts'
import { ACCOUNT_PATHS } from './tabs.ts'

const PATH = ACCOUNT_PATHS.close

export function closeAccountRoutes(deps: PageDeps): readonly Route[] {
  return [
    sensitiveRoute('GET', PATH, (visit) => closePage(deps, visit, null)),
    sensitiveRoute('POST', PATH, (visit) => close(deps, visit)),
  ]
}

async function close(deps: PageDeps, visit: AccountVisit): Promise<PageAnswer> {
  const { account, person, form } = visit
  const isTyped = isNameTyped({ name: account.email, id: account.id }, form)
  if (!isTyped || !canClose(await readClosing(deps, person))) return again(await closePage(deps, visit, form))
  await closeAccount(deps, person)
  const cookie = endedSessionCookie(cookiePlace(deps, visit))
  return { kind: 'redirect', to: '/sign-in', done: 'account-closed', cookie }
}

/** @param refused the submitted form if its email address was wrong; otherwise null */
async function closePage(deps: PageDeps, visit: AccountVisit, refused: Form | null): Promise<FrameContent> {
  const { account, person, site } = visit
  const { id, email } = account
  const { href } = site
  const closing = await readClosing(deps, person)
  const head = {
    title: 'Close account',
    heading: html`Close the account of ${bdi(email)}?`,
    crumbs: [{ path: ACCOUNT_PATHS.account, text: 'Account' }],
  }
  if (!canClose(closing)) {
    const cancel = linkButton({ text: 'Cancel', look: 'quiet', href: href(ACCOUNT_PATHS.account) })
    const body = html`<div class="stack">${reasons(href, closing)}<div class="acts">${cancel}</div></div>`
    return { layout: 'frame', ...head, isNarrow: true, body }
  }
  return formPage({
    href,
    ...head,
    action: PATH,
    fields: html`<p>You lose access to all projects, and all your sessions end. ${closing.alone.length > 0 && html`This also deletes the projects that have no other members: ${names(closing)}. Pings to their checks will get a 404. `}This can't be undone.</p>
${nameToType({ name: email, id, called: 'its email' }, refused)}`,
    button: { text: 'Close account', look: 'danger' },
  })
}

function names({ alone }: Closing): readonly Html[] {
  return alone.map(({ name }, index) => html`${index > 0 && ', '}<b>${bdi(name)}</b>`)
}

function reasons(href: Href, { isLastAdministrator, shared }: Closing): Html {
  const links = shared.map(
    ({ slug, name }) => html`<li><a href="${href(projectPath(slug, 'checks'))}">${bdi(name)}</a></li>`,
  )
  return html`${isLastAdministrator && html`<p>You are the only administrator of this server. Make another user an administrator first.</p>`}
${shared.length > 0 && html`<p>You are the only active owner of these projects, which have other members. Make another member an owner first, or delete the projects:</p><ul>${links}</ul>`}`
}
