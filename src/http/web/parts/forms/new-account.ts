/** The fields in a form that creates an account, and the messages shown if the account is rejected. */
import type { Refusal } from '../../../../domain/errors.ts'
import type { Form } from '../../form.ts'
import { type Html, html } from '../../html.ts'
import { signInWords } from '../words/sign-in-words.ts'
import { PASSWORD_HELP, zoneField } from './account-fields.ts'
import { type FieldErrors, firstBad, textField } from './fields.ts'

/** The values that the user typed, without the password, which is never sent back. */
export interface NewAccountValues {
  readonly email: string
  readonly tz: string
}

export function typedAccount(form: Form): NewAccountValues {
  return { email: form.text('email').trim(), tz: form.text('tz').trim() }
}

/** Returns the time zone. Returns UTC if the field is empty, because it is only filled in if scripts are enabled. */
export function zoneOf({ tz }: NewAccountValues): string {
  return tz || 'UTC'
}

/** The form field in which each refusal is shown, by refusal code. */
export const REFUSED_ACCOUNT = {
  'email-invalid': 'email',
  'account-exists': 'email',
  'password-invalid': 'password',
  'tz-invalid': 'tz',
  'over-limit': 'whole',
  busy: 'whole',
} as const

export function newAccountWords(refusal: Refusal): string | null {
  if (refusal.code === 'account-exists') return 'No account can be created with this address. If it is yours, sign in.'
  return signInWords(refusal)
}

/** @param hasFixedEmail true if the address is already known, so that the form does not need a field for it */
export function newAccountFields(values: NewAccountValues, fields: FieldErrors, hasFixedEmail = false): Html {
  const first = hasFixedEmail || values.email !== '' ? 'password' : 'email'
  const focus = firstBad(['email', 'password', 'tz'], fields) ?? first
  const email = hasFixedEmail
    ? html`<input type="hidden" name="email" value="${values.email}" autocomplete="username">`
    : textField({
        name: 'email',
        label: 'Email',
        type: 'email',
        value: values.email,
        autocomplete: 'username',
        isRequired: true,
        maxLength: 254,
        error: fields.email,
        hasFocus: focus === 'email',
      })
  return html`${email}
${textField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', isRequired: true, help: PASSWORD_HELP, error: fields.password, hasFocus: focus === 'password' })}
${zoneField({ value: values.tz, error: fields.tz, hasFocus: focus === 'tz' })}`
}
