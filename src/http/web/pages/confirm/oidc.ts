/** Lets users prove their identity through the OpenID provider. It uses redirects instead of a form. */
import { Refusal } from '../../../../domain/errors.ts'
import { oidcConfirmButton } from '../../parts/forms/oidc-button.ts'
import type { ProofForm } from './proof.ts'

export const oidcProof: ProofForm = {
  means: 'oidc',
  form: ({ signInRules: { oidc } }, { href, next, hasFocus }) =>
    oidcConfirmButton(href, oidc ?? { name: '' }, next, hasFocus ? 'primary' : 'plain'),
  confirm: async () => {
    throw new Refusal('invalid', 'use the link to the provider')
  },
  words: () => null,
}
