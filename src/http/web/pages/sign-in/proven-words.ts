/** Explains the effect of a mailed link on an account whose address nobody has confirmed. */
import type { Account } from '../../../../domain/account/account.ts'
import { type Html, html } from '../../html.ts'

/** Returns null if the address is confirmed. */
export function provenWords({ isEmailConfirmed }: Pick<Account, 'isEmailConfirmed'>): Html | null {
  if (isEmailConfirmed) return null
  return html`<p>Nobody has confirmed yet that this address belongs to the account. If you continue, it is confirmed. Somebody else may have created the account. Its password, authenticator app, passkeys and single sign-on are therefore removed, and its other sessions end.</p>`
}
