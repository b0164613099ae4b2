/**
 * A form that the user signs with a passkey. Its script, `browser/passkeys.ts`, fetches the data to sign from the server and has the
 * browser sign it. Without scripts, the form is submitted without a signature, and the server shows it again with an explanation.
 */
import type { PasskeyRules } from '../../../../domain/account/sign-in-rules.ts'
import type { Href } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { alertNote } from '../notes.ts'
import { type ButtonLook, submit } from './buttons.ts'

/** Name of the field that contains the browser's signature. */
export const PASSKEY_FIELD = 'passkey'

interface PasskeyForm {
  readonly href: Href
  /** path of the page, to which the form is posted; its {@link optionsPath} returns the data to sign */
  readonly path: string
  readonly rules: PasskeyRules
  /** fields above the button */
  readonly fields?: HtmlValue
  readonly button: string
  readonly look?: ButtonLook
  /** content next to the button */
  readonly beside?: HtmlValue
  /** error message about the previous attempt */
  readonly problem?: string | null | undefined
}

/** Returns the path that the script fetches a page's data to sign from. */
export function optionsPath(page: string): string {
  return `${page}/passkey-options`
}

export function passkeyForm(form: PasskeyForm): Html {
  const { href, path, rules, fields, button, look = 'plain', beside, problem = null } = form
  return html`<form class="form" method="post" action="${href(path)}" data-passkey="${href(optionsPath(path))}" data-passkey-origin="${rules.origin}">
<div data-passkey-said${problem === null && html` hidden`}>${alertNote(problem ?? '')}</div>
${fields}<input type="hidden" name="${PASSKEY_FIELD}">
${beside === undefined ? submit({ text: button, look, icon: 'key', isWide: true }) : html`<div class="acts">${submit({ text: button, look, icon: 'key' })}${beside}</div>`}
<noscript><p class="help">Passkeys need JavaScript.</p></noscript>
</form>
<script src="${href.asset('passkeys.js')}" defer></script>`
}
