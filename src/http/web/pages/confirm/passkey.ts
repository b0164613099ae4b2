/** Lets users prove their identity with a passkey. */

import { confirmByPasskey } from '../../../../services/accounts/sign-in/passkey-proof.ts'
import { requestConfirmation } from '../../../../services/accounts/sign-in/passkey-requests.ts'
import { passkeyRules } from '../../../../services/accounts/sign-in/passkeys.ts'
import type { PageDeps } from '../../page.ts'
import { optionsPath, passkeyForm } from '../../parts/forms/passkey-form.ts'
import { sentence } from '../../parts/words/text.ts'
import { optionsAnswer, readPasskeyAnswer } from '../../passkey-request.ts'
import type { Route } from '../../route.ts'
import { accountRoute } from '../new-route.ts'
import { CONFIRM, type ProofForm, proofFields } from './proof.ts'

export const passkeyProof: ProofForm = {
  means: 'passkey',
  form(deps, { href, next, problems: { whole } }) {
    const fields = proofFields('passkey', next)
    const data = { href, path: CONFIRM, rules: requireRules(deps), fields, button: 'Confirm with passkey' }
    return passkeyForm({ ...data, problem: whole })
  },
  confirm: (deps, visit) => confirmByPasskey(deps, requireRules(deps), visit.session, readPasskeyAnswer(visit)),
  words: ({ message }) => sentence(message),
}

/** Returns no routes if this server does not support passkeys. */
export function confirmOptionsRoutes(deps: PageDeps): readonly Route[] {
  const rules = passkeyRules(deps)
  if (rules === null) return []
  return [
    accountRoute('POST', optionsPath(CONFIRM), async (visit) => {
      const within = visit.session?.lookup ?? ''
      const request = await requestConfirmation(deps, rules, visit.account.id, within)
      return optionsAnswer(deps, visit, CONFIRM, request)
    }),
  ]
}

/** @throws if this server does not support passkeys; the page then does not offer them */
function requireRules(deps: PageDeps) {
  const rules = passkeyRules(deps)
  if (rules === null) throw new Error('no passkeys here')
  return rules
}
