/** Explains what happens the first time an emailed link confirms an account's address. */
import type { Account } from '../../../../domain/account/account.ts'
import { type Html, html } from '../../html.ts'

/** Returns the explanation; null if the address is already confirmed. */
export function provenWords({ isEmailConfirmed }: Pick<Account, 'isEmailConfirmed'>): Html | null {
  if (isEmailConfirmed) return null
  return html`<p>This address has not been confirmed yet. If you continue, you confirm that it is yours. Somebody else may have created the account. So its password, authenticator app, passkeys and single sign-on will be removed, and its other sessions will end.</p>`
}
