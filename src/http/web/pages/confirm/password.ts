/** Lets users prove their identity with their password. */
import { confirmByPassword } from '../../../../services/accounts/sign-in/confirmation.ts'
import { html } from '../../html.ts'
import { submit } from '../../parts/forms/buttons.ts'
import { textField } from '../../parts/forms/fields.ts'
import { alertNote } from '../../parts/notes.ts'
import { signInWords } from '../../parts/words/sign-in-words.ts'
import { CONFIRM, type ProofForm, proofFields } from './proof.ts'

export const passwordProof: ProofForm = {
  means: 'password',
  form: (_, { href, next, account, problems: { fields, whole }, hasFocus }) =>
    html`<form class="form" method="post" action="${href(CONFIRM)}">
${whole !== null && alertNote(whole)}
${proofFields('password', next)}
<input type="hidden" name="email" value="${account.email}" autocomplete="username">
${textField({ name: 'password', label: 'Your password', type: 'password', autocomplete: 'current-password', isRequired: true, error: fields.password, hasFocus })}
${submit({ text: 'Confirm with password', look: 'primary', isWide: true })}
</form>`,
  confirm: (deps, { person, account, session, form }) =>
    confirmByPassword(deps, person, account, session, form.text('password')),
  words: (refusal) => signInWords(refusal, 'Wrong password.'),
}
