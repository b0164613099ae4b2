/** `/password/<token>`: chooses the password of an account, by a link from whoever runs the server. */
import type { Account } from '../../../domain/account/account.ts'
import { getLinkedAccount } from '../../../services/accounts/one-time-links.ts'
import { choosePassword } from '../../../services/accounts/passwords.ts'
import type { Deps } from '../../../services/deps.ts'
import { enter } from '../enter.ts'
import { START } from '../href.ts'
import { html } from '../html.ts'
import { PASSWORD_HELP } from '../parts/account-fields.ts'
import { submit } from '../parts/buttons.ts'
import { textField } from '../parts/fields.ts'
import { alertNote } from '../parts/notes.ts'
import { bdi } from '../parts/text.ts'
import type { GateContent, Route } from '../route.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain, WHOLE } from './forms.ts'

export type PasswordDeps = Pick<Deps, 'store' | 'now' | 'random' | 'passwords' | 'site'> & {
  readonly remoteUserHeader: string | null
}

/** None where a proxy signs people in. */
export function passwordRoutes(deps: PasswordDeps): readonly Route[] {
  if (deps.remoteUserHeader !== null) return []
  const path = '/password/:token'
  return [
    {
      method: 'GET',
      path,
      access: 'visitor',
      cache: 'no-store',
      async answer({ params }) {
        const account = await getLinkedAccount(deps, 'password', params.token ?? '')
        return { kind: 'page', page: passwordPage(account, NO_PROBLEMS) }
      },
    },
    {
      method: 'POST',
      path,
      access: 'visitor',
      cache: 'no-store',
      async answer(visit) {
        const { params, form, client } = visit
        const account = await getLinkedAccount(deps, 'password', params.token ?? '')
        const page = (problems: FormProblems) => passwordPage(account, problems)
        return orFormAgain({ refused: { 'password-invalid': 'password', busy: WHOLE }, page }, async () => {
          const { token } = await choosePassword(deps, params.token ?? '', form.text('password'), client)
          return enter(deps, visit, token, {
            to: START,
            done: account.passwordHash === null ? 'password-set' : 'password-changed',
          })
        })
      },
    },
  ]
}

export function passwordPage(
  { email, passwordHash }: Pick<Account, 'email' | 'passwordHash'>,
  { fields, whole }: FormProblems,
): GateContent {
  return {
    layout: 'gate',
    title: 'Choose a password',
    intro: html`For the account of <b>${bdi(email)}</b>.${passwordHash !== null && ' Its other sessions end.'}`,
    body: html`<form class="form" method="post">
${whole !== null && alertNote(whole)}
<input type="hidden" name="email" value="${email}" autocomplete="username">
${textField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', isRequired: true, help: PASSWORD_HELP, error: fields.password, hasFocus: true })}
${submit({ text: 'Save password', look: 'primary', isWide: true })}
</form>`,
  }
}
