/** The form for another account. */
import { EMAIL_LIMIT } from '../../../../../domain/account/account.ts'
import type { Href } from '../../../href.ts'
import { html } from '../../../html.ts'
import { formActs } from '../../../parts/buttons.ts'
import { switchField, textField } from '../../../parts/fields.ts'
import type { FrameContent } from '../../../route.ts'
import type { FormProblems } from '../../forms.ts'
import { ADMIN_PATHS } from '../tabs.ts'
import { NEW_ACCOUNT } from './paths.ts'

export interface NewAccountData {
  readonly href: Href
  readonly email: string
  readonly isAdministrator: boolean
  /** false: it gets no password */
  readonly hasPasswords: boolean
  readonly problems: FormProblems
}

export function newAccountPage({ href, email, isAdministrator, hasPasswords, problems }: NewAccountData): FrameContent {
  const next = hasPasswords
    ? 'You get a link by which its owner chooses a password.'
    : 'Its owner signs in without a password of this server.'
  return {
    layout: 'frame',
    help: 'accounts',
    title: 'New account',
    here: 'accounts',
    crumbs: [{ path: ADMIN_PATHS.accounts, text: 'Accounts' }],
    isNarrow: true,
    intro: `${next} To give somebody a role in a project too, invite them there.`,
    body: html`<form class="form" method="post" action="${href(NEW_ACCOUNT)}">
${textField({ name: 'email', label: 'Email', type: 'email', value: email, isRequired: true, maxLength: EMAIL_LIMIT, error: problems.fields.email, hasFocus: true })}
${switchField({ name: 'administrator', label: 'Administrator', isOn: isAdministrator, help: 'Sees every project and does with it what its owner may do, and sees these pages.' })}
${formActs({ text: 'Create account', look: 'primary' }, href(ADMIN_PATHS.accounts))}
</form>`,
  }
}
