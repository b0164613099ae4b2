/** The password card, and `/account/security/password`, where the user changes the password. */

import type { Account } from '../../../../../domain/account/account.ts'
import { changePassword } from '../../../../../services/accounts/sign-in/passwords.ts'
import type { Href } from '../../../href.ts'
import { html } from '../../../html.ts'
import type { PageDeps } from '../../../page.ts'
import { PASSWORD_HELP } from '../../../parts/forms/account-fields.ts'
import { linkButton } from '../../../parts/forms/buttons.ts'
import { textField } from '../../../parts/forms/fields.ts'
import { card } from '../../../parts/lists.ts'
import { alertNote } from '../../../parts/notes.ts'
import { signInWords } from '../../../parts/words/sign-in-words.ts'
import type { AccountVisit, FrameContent, PageAnswer, Route } from '../../../route.ts'
import { formPage } from '../../form-page.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain, WHOLE } from '../../forms.ts'
import { sensitiveRoute } from '../../new-route.ts'
import { ACCOUNT_PATHS } from '../tabs.ts'
import type { SecurityCard } from './card.ts'
import { SECURITY_CRUMBS } from './page.ts'

const PATH = `${ACCOUNT_PATHS.security}/password`

export const passwordCard: SecurityCard = ({ signInRules }, { account, site: { href } }) => {
  if (!signInRules.hasLocalSignIn) return null
  const has = account.passwordHash !== null
  const action = linkButton({ text: has ? 'Change password' : 'Choose a password', href: href(PATH) })
  return card({
    title: 'Password',
    body: html`<p>${has ? 'You can sign in with your password.' : 'Your account has no password.'}</p><div class="acts">${action}</div>`,
  })
}

export function passwordChangeRoutes(deps: PageDeps): readonly Route[] {
  if (!deps.signInRules.hasLocalSignIn) return []
  return [
    sensitiveRoute('GET', PATH, ({ account, site: { href } }) => passwordChangePage(href, account, NO_PROBLEMS)),
    sensitiveRoute('POST', PATH, (visit) => savePassword(deps, visit)),
  ]
}

function savePassword(deps: PageDeps, { form, account, person, session, site }: AccountVisit): Promise<PageAnswer> {
  const page = (problems: FormProblems) => passwordChangePage(site.href, account, problems)
  return orFormAgain(
    { refused: { 'password-invalid': 'password', 'over-limit': WHOLE, busy: WHOLE }, page, words: signInWords },
    async () => {
      await changePassword(deps, person, session?.lookup ?? null, form.text('password'))
      return { kind: 'redirect', to: ACCOUNT_PATHS.security, done: 'password-changed' }
    },
  )
}

function passwordChangePage(
  href: Href,
  { email, passwordHash }: Pick<Account, 'email' | 'passwordHash'>,
  { fields, whole }: FormProblems,
): FrameContent {
  return formPage({
    href,
    title: passwordHash === null ? 'Choose a password' : 'Change password',
    crumbs: SECURITY_CRUMBS,
    intro: 'Your other sessions end.',
    action: PATH,
    fields: html`${whole !== null && alertNote(whole)}
<input type="hidden" name="email" value="${email}" autocomplete="username">
${textField({ name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password', isRequired: true, help: PASSWORD_HELP, error: fields.password, hasFocus: true })}`,
    button: { text: 'Save password', look: 'primary' },
  })
}
