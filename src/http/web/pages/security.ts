/** `/account/security`: the password of a person. */
import type { Account } from '../../../domain/account/account.ts'
import type { Refusal } from '../../../domain/errors.ts'
import { changePassword } from '../../../services/accounts/passwords.ts'
import type { Deps } from '../../../services/deps.ts'
import type { Href } from '../href.ts'
import { html } from '../html.ts'
import { PASSWORD_HELP } from '../parts/account-fields.ts'
import { submit } from '../parts/buttons.ts'
import { firstBad, textField } from '../parts/fields.ts'
import { alertNote } from '../parts/notes.ts'
import { signInWords } from '../parts/sign-in-words.ts'
import type { AccountVisit, FrameContent, PageAnswer, Route } from '../route.ts'
import { ACCOUNT_PATHS, accountTabs } from './account-tabs.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain, WHOLE } from './forms.ts'

export type SecurityDeps = Pick<Deps, 'store' | 'now' | 'random' | 'passwords' | 'signInLimits'>

const PATH = ACCOUNT_PATHS.password

export function securityRoutes(deps: SecurityDeps): readonly Route[] {
  return [
    {
      method: 'GET',
      path: PATH,
      access: 'account',
      cache: 'no-store',
      answer: ({ account, site: { href } }) => ({ kind: 'page', page: securityPage(href, account, NO_PROBLEMS) }),
    },
    { method: 'POST', path: PATH, access: 'account', cache: 'no-store', answer: (visit) => savePassword(deps, visit) },
  ]
}

function savePassword(deps: SecurityDeps, visit: AccountVisit): Promise<PageAnswer> {
  const { form, account, person, session, site } = visit
  const page = (problems: FormProblems) => securityPage(site.href, account, problems)
  const refused = { 'sign-in-failed': 'current', 'password-invalid': 'password', 'over-limit': WHOLE, busy: WHOLE }
  // A sign-in names two fields, this form only one.
  const words = (refusal: Refusal) => signInWords(refusal, 'This is not your password.')
  return orFormAgain({ refused, page, words }, async () => {
    await changePassword(deps, person, session?.lookup ?? null, form.text('current'), form.text('password'))
    return { kind: 'redirect', to: PATH, done: 'password-changed' }
  })
}

export function securityPage(
  href: Href,
  { passwordHash, email }: Pick<Account, 'passwordHash' | 'email'>,
  { fields, whole }: FormProblems,
): FrameContent {
  const hasPassword = passwordHash !== null
  const bad = firstBad(['current', 'password'], fields)
  return {
    layout: 'frame',
    title: 'Password',
    here: 'account',
    crumbs: [{ path: ACCOUNT_PATHS.settings, text: 'Account' }],
    isNarrow: true,
    intro: 'Your other sessions end when you change it.',
    body: html`<div class="stack">${accountTabs(href, PATH)}<form class="form" method="post" action="${href(PATH)}">
${whole !== null && alertNote(whole)}
<input type="hidden" name="email" value="${email}" autocomplete="username">
${hasPassword && textField({ name: 'current', label: 'Current password', type: 'password', autocomplete: 'current-password', isRequired: true, error: fields.current, hasFocus: bad === 'current' })}
${textField({ name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password', isRequired: true, help: PASSWORD_HELP, error: fields.password, hasFocus: bad === 'password' })}
<div class="acts">${submit({ text: 'Save password', look: 'primary' })}</div>
</form></div>`,
  }
}
