/**
 * One way for users to prove their identity again. Each one has a form on `/confirm`, a name in `domain/account/confirmation.ts`, and a
 * card in `pages/account/security/`. `services/accounts/sign-in/confirmation.ts` determines which ones a user can choose from.
 */
import type { Account } from '../../../../domain/account/account.ts'
import type { ConfirmationMeans } from '../../../../domain/account/confirmation.ts'
import type { Session } from '../../../../domain/account/session.ts'
import type { Refusal } from '../../../../domain/errors.ts'
import type { Href } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import type { AccountVisit } from '../../route.ts'
import type { FormProblems } from '../forms.ts'

export const CONFIRM = '/confirm'

export interface ProofForm {
  readonly means: ConfirmationMeans
  /** Renders the proof's form or link. A form is posted to {@link CONFIRM} and contains {@link proofFields}. */
  readonly form: (deps: PageDeps, data: ProofData) => Html | Promise<Html>
  /**
   * Checks the proof, and marks the session as confirmed.
   * @throws Refusal; `sign-in-failed` is shown next to the field that is named after the proof
   */
  readonly confirm: (deps: PageDeps, visit: AccountVisit & { readonly session: Session }) => Promise<void>
  /** returns the message for a refusal; null to show the refusal's own message */
  readonly words: (refusal: Refusal) => string | null
}

interface ProofData {
  readonly href: Href
  /** local path of the page to open afterwards */
  readonly next: string
  readonly account: Account
  readonly problems: FormProblems
  /** true to focus the first field */
  readonly hasFocus: boolean
}

export function proofFields(means: ConfirmationMeans, next: string): Html {
  return html`<input type="hidden" name="means" value="${means}"><input type="hidden" name="next" value="${next}">`
}
