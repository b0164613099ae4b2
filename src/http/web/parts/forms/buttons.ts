/** Buttons, and links that look like buttons. A button's text is a verb and a noun, such as "Save schedule". */
import { type Html, type HtmlValue, html } from '../../html.ts'
import { type IconName, icon } from '../icons.ts'

/** Button styles. `primary` is for a page's main button, and `danger` is for an action that cannot be undone. */
export type ButtonLook = 'plain' | 'primary' | 'quiet' | 'danger'

interface Button {
  readonly text: HtmlValue
  readonly look?: ButtonLook
  readonly icon?: IconName
  /** true if the button is as wide as its column */
  readonly isWide?: boolean
  readonly isSmall?: boolean
  /** label for screen readers, if the text alone is not clear enough; it has to start with the text */
  readonly label?: string
  /** keyboard shortcut that activates the button */
  readonly key?: string
}

function common({ look = 'plain', isWide, isSmall, label, key }: Button): Html {
  const classes = [
    'btn',
    ...(look === 'plain' ? [] : [look]),
    ...(isWide ? ['wide'] : []),
    ...(isSmall ? ['small'] : []),
  ]
  return html`class="${classes.join(' ')}"${label !== undefined && html` aria-label="${label}"`}${key !== undefined && html` data-key="${key}"`}`
}

export interface Submit extends Button {
  /** form field that the button submits, so that a handler can distinguish buttons */
  readonly field?: { readonly name: string; readonly value: string }
  /** field values as JSON, which the script fills in instead of submitting the form */
  readonly fill?: string
}

/** Renders a button that submits its form. */
export function submit(button: Submit): Html {
  const { text, icon: symbol, field, fill } = button
  return html`<button ${common(button)} type="submit"${field && html` name="${field.name}" value="${field.value}"`}${fill !== undefined && html` data-fill="${fill}"`}>${symbol && icon(symbol)}${text}</button>`
}

/** Renders a link that looks like a button. @param href the link's path, including SITE_ROOT's path */
export function linkButton(button: Button & { readonly href: string }): Html {
  const { text, icon: symbol, href } = button
  return html`<a ${common(button)} href="${href}">${symbol && icon(symbol)}${text}</a>`
}

/**
 * Renders the buttons at the end of a form: submit and cancel.
 * @param button null if there is nothing to submit
 * @param back path that the cancel button leads to, including SITE_ROOT's path
 * @param beside additional buttons
 */
export function formActs(button: Submit | null, back: string, beside: HtmlValue = null): Html {
  return html`<div class="acts">${button && submit(button)}${beside}${linkButton({ text: 'Cancel', look: 'quiet', href: back })}</div>`
}

/** Renders a form that consists of one button. @param action path to post to, including SITE_ROOT's path */
export function formButton(button: Button & { readonly action: string }): Html {
  return html`<form method="post" action="${button.action}">${submit(button)}</form>`
}

/**
 * A hidden button for the start of a form. Pressing Enter in a field activates the first button, which would otherwise be a visible button,
 * such as a preview.
 */
export const ENTER = html`<button hidden></button>`
