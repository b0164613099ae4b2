/**
 * A form that is sent with a passkey. Its script, `browser/passkeys.ts`, asks the server what to sign and the browser to do it. Without
 * the script the form is sent without, and comes back with the reason.
 */
import type { PasskeyRules } from '../../../../domain/account/sign-in-rules.ts'
import type { Href } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { alertNote } from '../notes.ts'
import { type ButtonLook, submit } from './buttons.ts'

/** The field with what the browser has signed. */
export const PASSKEY_FIELD = 'passkey'

interface PasskeyForm {
  readonly href: Href
  /** of the page, to which the form is posted; its {@link optionsPath} says what to sign */
  readonly path: string
  readonly rules: PasskeyRules
  /** above the button */
  readonly fields?: HtmlValue
  readonly button: string
  readonly look?: ButtonLook
  /** beside the button */
  readonly beside?: HtmlValue
  /** what was wrong the last time */
  readonly problem?: string | null | undefined
}

/** Where the script of a page's form asks what to sign. */
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
