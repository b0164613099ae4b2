/** Lets users prove their identity with a code from their authenticator app. */
import { confirmByCode } from '../../../../services/accounts/sign-in/confirmation.ts'
import { html } from '../../html.ts'
import { submit } from '../../parts/forms/buttons.ts'
import { textField } from '../../parts/forms/fields.ts'
import { alertNote } from '../../parts/notes.ts'
import { signInWords } from '../../parts/words/sign-in-words.ts'
import { WRONG_CODE } from '../sign-in/code.ts'
import { CONFIRM, type ProofForm, proofFields } from './proof.ts'

export const codeProof: ProofForm = {
  means: 'totp',
  form: (_, { href, next, problems: { fields, whole }, hasFocus }) =>
    html`<form class="form" method="post" action="${href(CONFIRM)}">
${whole !== null && alertNote(whole)}
${proofFields('totp', next)}
${textField({ name: 'totp', label: 'Code', autocomplete: 'one-time-code', isRequired: true, isCode: true, maxLength: 10, help: 'Six digits from your authenticator app.', error: fields.totp, hasFocus })}
${submit({ text: 'Confirm with code', isWide: true })}
</form>`,
  confirm: (deps, { person, account, session, form }) =>
    confirmByCode(deps, person, account, session, form.text('totp')),
  words: (refusal) => signInWords(refusal, WRONG_CODE),
}
