/**
 * A way to prove again who somebody is. Each has a form on `/confirm`, a name in `domain/account/confirmation.ts`, is listed for those
 * who have it by `services/accounts/sign-in/confirmation.ts`, and has a card in `pages/account/security/`.
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
  /** Its form or link. A form posts to {@link CONFIRM} with {@link proofFields}. */
  readonly form: (deps: PageDeps, data: ProofData) => Html | Promise<Html>
  /** Confirms the session. @throws Refusal, of which `sign-in-failed` is shown at the field that has the name of the means */
  readonly confirm: (deps: PageDeps, visit: AccountVisit & { readonly session: Session }) => Promise<void>
  /** what the page says about a refusal; null: the words of the refusal */
  readonly words: (refusal: Refusal) => string | null
}

interface ProofData {
  readonly href: Href
  /** where it leads afterwards */
  readonly next: string
  readonly account: Account
  readonly problems: FormProblems
  /** true: the first field gets the focus */
  readonly hasFocus: boolean
}

export function proofFields(means: ConfirmationMeans, next: string): Html {
  return html`<input type="hidden" name="means" value="${means}"><input type="hidden" name="next" value="${next}">`
}
