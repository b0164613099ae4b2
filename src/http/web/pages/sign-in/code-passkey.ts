/** Passkeys on `/sign-in/code`, where users can use one of the account's passkeys instead of a code. */

import type { PasskeyRules } from '../../../../domain/account/sign-in-rules.ts'
import { Refusal } from '../../../../domain/errors.ts'
import { takesPasskey } from '../../../../services/accounts/sign-in/passkey-proof.ts'
import { requestConfirmation } from '../../../../services/accounts/sign-in/passkey-requests.ts'
import { passkeyRules } from '../../../../services/accounts/sign-in/passkeys.ts'
import { type AwaitedSignIn, findAwaited } from '../../../../services/accounts/sign-in/second-factor.ts'
import { CODE_PATH, readAwaited } from '../../after-sign-in.ts'
import type { PageDeps } from '../../page.ts'
import { optionsPath } from '../../parts/forms/passkey-form.ts'
import { optionsAnswer } from '../../passkey-request.ts'
import type { Route } from '../../route.ts'
import { visitorRoute } from '../new-route.ts'

/** Returns the passkey rules; null if this sign-in can't use a passkey as its second factor. */
export async function findFactorRules(deps: PageDeps, awaited: AwaitedSignIn | null): Promise<PasskeyRules | null> {
  const rules = passkeyRules(deps)
  return rules !== null && awaited !== null && (await takesPasskey(deps, awaited)) ? rules : null
}

/** Returns no routes if this server does not support passkeys. */
export function codeOptionsRoutes(deps: PageDeps): readonly Route[] {
  if (passkeyRules(deps) === null) return []
  return [
    visitorRoute('POST', optionsPath(CODE_PATH), async (visit) => {
      const awaited = await findAwaited(deps, readAwaited(visit.request))
      const rules = await findFactorRules(deps, awaited)
      if (rules === null || awaited === null) throw new Refusal('unauthorized', 'no sign-in awaits a passkey')
      const request = await requestConfirmation(deps, rules, awaited.account.id, awaited.lookup)
      return optionsAnswer(deps, visit, CODE_PATH, request)
    }),
  ]
}
