/** Buttons, and links that look like them. Their text is a verb and a thing: "Save schedule". */
import { type Html, type HtmlValue, html } from '../../html.ts'
import { type IconName, icon } from '../icons.ts'

/** Looks of a button. `primary`: the main one of a page; `danger`: an action that can't be undone. */
export type ButtonLook = 'plain' | 'primary' | 'quiet' | 'danger'

interface Button {
  readonly text: HtmlValue
  readonly look?: ButtonLook
  readonly icon?: IconName
  /** true: as wide as its column */
  readonly isWide?: boolean
  readonly isSmall?: boolean
  /** description for screen readers, if the text alone is not enough; begins with the text */
  readonly label?: string
  /** the key that presses it */
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
  /** field that is sent with the form, so that a handler can distinguish two buttons */
  readonly field?: { readonly name: string; readonly value: string }
  /** values of fields as JSON: the script fills them in, and does not send the form */
  readonly fill?: string
}

/** Renders the button that sends its form. */
export function submit(button: Submit): Html {
  const { text, icon: symbol, field, fill } = button
  return html`<button ${common(button)} type="submit"${field && html` name="${field.name}" value="${field.value}"`}${fill !== undefined && html` data-fill="${fill}"`}>${symbol && icon(symbol)}${text}</button>`
}

/** @param href includes the path of SITE_ROOT */
export function linkButton(button: Button & { readonly href: string }): Html {
  const { text, icon: symbol, href } = button
  return html`<a ${common(button)} href="${href}">${symbol && icon(symbol)}${text}</a>`
}

/**
 * Renders the end of a form: its button, and the way back.
 * @param button null: nothing can be sent
 * @param back address with the path of SITE_ROOT
 * @param beside further buttons
 */
export function formActs(button: Submit | null, back: string, beside: HtmlValue = null): Html {
  return html`<div class="acts">${button && submit(button)}${beside}${linkButton({ text: 'Cancel', look: 'quiet', href: back })}</div>`
}

/** Renders a form that consists of a button. @param action includes the path of SITE_ROOT */
export function formButton(button: Button & { readonly action: string }): Html {
  return html`<form method="post" action="${button.action}">${submit(button)}</form>`
}

/** A hidden first button, which Enter in a field presses. Without it, Enter would press the first one that is shown, such as a preview. */
export const ENTER = html`<button hidden></button>`
