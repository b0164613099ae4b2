/**
 * Passkeys on `/sign-in`. The browser offers the passkeys for this server. A passkey identifies its user, so the user does not have to type
 * an email address.
 */

import type { PasskeyRules } from '../../../../domain/account/sign-in-rules.ts'
import { signInByPasskey } from '../../../../services/accounts/sign-in/passkey-proof.ts'
import { requestSignIn } from '../../../../services/accounts/sign-in/passkey-requests.ts'
import { passkeyRules } from '../../../../services/accounts/sign-in/passkeys.ts'
import { afterSignIn } from '../../after-sign-in.ts'
import { type Href, localPath, START } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { optionsPath, PASSKEY_FIELD, passkeyForm } from '../../parts/forms/passkey-form.ts'
import { optionsAnswer, readPasskeyAnswer } from '../../passkey-request.ts'
import type { GateContent, PageAnswer, Route, VisitorVisit } from '../../route.ts'
import { type FormProblems, orFormAgain } from '../forms.ts'
import { publicRoute } from '../new-route.ts'

const PATH = '/sign-in'

/**
 * Returns no routes if this server does not support passkeys. The route is public, so that it is subject to the rate limit for public
 * pages: each request writes a row.
 */
export function signInOptionsRoutes(deps: PageDeps): readonly Route[] {
  const rules = passkeyRules(deps)
  if (rules === null) return []
  return [
    publicRoute('POST', optionsPath(PATH), async (visit) =>
      optionsAnswer(deps, visit, PATH, await requestSignIn(deps, rules)),
    ),
  ]
}

/** Renders the passkey form below the password form. */
export function passkeySignIn(
  href: Href,
  rules: PasskeyRules,
  next: string | null,
  { fields }: Pick<FormProblems, 'fields'>,
): Html {
  const form = passkeyForm({
    href,
    path: PATH,
    rules,
    fields: next !== null && html`<input type="hidden" name="next" value="${next}">`,
    button: 'Sign in with a passkey',
    problem: fields[PASSKEY_FIELD],
  })
  return html`<p class="or">or</p>${form}`
}

/** @param page renders the sign-in page again */
export function postPasskey(
  deps: PageDeps,
  rules: PasskeyRules,
  visit: VisitorVisit,
  page: (problems: FormProblems) => GateContent,
): Promise<PageAnswer> {
  return orFormAgain({ refused: { 'passkey-refused': PASSKEY_FIELD }, page }, async () => {
    const entrance = await signInByPasskey(deps, rules, readPasskeyAnswer(visit), visit.client)
    return afterSignIn(deps, visit, entrance, { to: localPath(visit.form.text('next')) ?? START })
  })
}
