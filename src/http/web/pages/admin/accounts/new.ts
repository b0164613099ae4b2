/** The form for another account. */
import { EMAIL_LIMIT } from '../../../../../domain/account/account.ts'
import type { Href } from '../../../href.ts'
import { html } from '../../../html.ts'
import { zoneField } from '../../../parts/forms/account-fields.ts'
import { formActs } from '../../../parts/forms/buttons.ts'
import { firstBad, switchField, textField } from '../../../parts/forms/fields.ts'
import type { FrameContent } from '../../../route.ts'
import type { FormProblems } from '../../forms.ts'
import { ADMIN_PATHS } from '../tabs.ts'
import { NEW_ACCOUNT } from './paths.ts'

interface NewAccountData {
  readonly href: Href
  readonly email: string
  readonly isAdministrator: boolean
  readonly tz: string
  /** false: it gets no password */
  readonly hasPasswords: boolean
  readonly problems: FormProblems
}

export function newAccountPage(data: NewAccountData): FrameContent {
  const { href, email, isAdministrator, tz, hasPasswords, problems } = data
  const { fields } = problems
  const focus = firstBad(['email', 'tz'], fields) ?? 'email'
  const next = hasPasswords
    ? 'You get a link. The owner chooses a password with it.'
    : 'The owner signs in without a password of this server.'
  return {
    layout: 'frame',
    help: 'accounts',
    title: 'New account',
    here: 'administration',
    crumbs: [{ path: ADMIN_PATHS.accounts, text: 'Accounts' }],
    isNarrow: true,
    intro: `${next} To give somebody a role in a project too, invite them there.`,
    body: html`<form class="form" method="post" action="${href(NEW_ACCOUNT)}">
${textField({ name: 'email', label: 'Email', type: 'email', value: email, isRequired: true, maxLength: EMAIL_LIMIT, error: fields.email, hasFocus: focus === 'email' })}
${zoneField({ value: tz, error: fields.tz, hasFocus: focus === 'tz', help: 'As yours. Its owner can change it; times on pages are in this zone.' })}
${switchField({ name: 'administrator', label: 'Administrator', isOn: isAdministrator, help: 'Has owner access to every project, and sees these pages.' })}
${formActs({ text: 'Create account', look: 'primary' }, href(ADMIN_PATHS.accounts))}
</form>`,
  }
}
