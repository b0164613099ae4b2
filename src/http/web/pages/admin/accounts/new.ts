/** The form for a new account. */

import { type Account, EMAIL_LIMIT } from '../../../../../domain/account/account.ts'
import type { Href } from '../../../href.ts'
import { html } from '../../../html.ts'
import { zoneField } from '../../../parts/forms/account-fields.ts'
import { firstBad, switchField, textField } from '../../../parts/forms/fields.ts'
import type { FrameContent } from '../../../route.ts'
import { formPage } from '../../form-page.ts'
import type { FormProblems } from '../../forms.ts'
import { ADMIN_TABS } from '../tabs.ts'
import { NEW_ACCOUNT } from './paths.ts'

export type NewAccount = Pick<Account, 'email' | 'isAdministrator' | 'tz'>

/** @param hasPasswords false if users sign in without passwords */
export function newAccountPage(
  href: Href,
  { email, isAdministrator, tz }: NewAccount,
  hasPasswords: boolean,
  { fields }: FormProblems,
): FrameContent {
  const focus = firstBad(['email', 'tz'], fields) ?? 'email'
  const next = hasPasswords
    ? 'You get a link for the owner to choose a password.'
    : 'The owner signs in without a password.'
  return formPage({
    href,
    title: 'New account',
    crumbs: [{ path: ADMIN_TABS.accounts.path, text: 'Accounts' }],
    intro: `${next} To add the person to a project, invite them there.`,
    action: NEW_ACCOUNT,
    fields: html`${textField({ name: 'email', label: 'Email', type: 'email', value: email, isRequired: true, maxLength: EMAIL_LIMIT, error: fields.email, hasFocus: focus === 'email' })}
${zoneField({ value: tz, error: fields.tz, hasFocus: focus === 'tz', help: 'Used for the times on pages. The owner of the account can change it.' })}
${switchField({ name: 'administrator', label: 'Administrator', isOn: isAdministrator, help: 'Has owner access to every project, and sees these pages.' })}`,
    button: { text: 'Create account', look: 'primary' },
  })
}
