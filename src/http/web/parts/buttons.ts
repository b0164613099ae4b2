/** Buttons and links that look like them. Their words are a verb and a thing: "Save schedule". */
import { type Html, type HtmlValue, html } from '../html.ts'
import { type IconName, icon } from './icons.ts'

/** `primary`: the one that a page is for; `danger`: what can't be taken back. */
export type ButtonLook = 'plain' | 'primary' | 'quiet' | 'danger'

interface Button {
  readonly text: HtmlValue
  readonly look?: ButtonLook
  readonly icon?: IconName
  /** true: as wide as its column */
  readonly isWide?: boolean
}

function classesOf({ look = 'plain', isWide }: Button): string {
  return ['btn', ...(look === 'plain' ? [] : [look]), ...(isWide ? ['wide'] : [])].join(' ')
}

/** Sends the form that it is in. @param field sent with the form, so that a handler can tell two buttons apart */
export function submit(button: Button & { readonly field?: { readonly name: string; readonly value: string } }): Html {
  const { text, icon: symbol, field } = button
  return html`<button class="${classesOf(button)}" type="submit"${field && html` name="${field.name}" value="${field.value}"`}>${symbol && icon(symbol)}${text}</button>`
}

/** @param href with the path of SITE_ROOT @param key that follows the link */
export function linkButton(button: Button & { readonly href: string; readonly key?: string }): Html {
  const { text, icon: symbol, href, key } = button
  return html`<a class="${classesOf(button)}" href="${href}"${key !== undefined && html` data-key="${key}"`}>${symbol && icon(symbol)}${text}</a>`
}

/** A form of one button, for what needs no fields. @param action with the path of SITE_ROOT */
export function formButton(button: Button & { readonly action: string }): Html {
  return html`<form method="post" action="${button.action}">${submit(button)}</form>`
}
