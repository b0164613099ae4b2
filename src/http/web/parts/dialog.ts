/** Dialogs: a native `<dialog>`, and a link to a page of its own for browsers without the script or the commands. */
import { type Html, type HtmlValue, html } from '../html.ts'
import type { ButtonLook } from './buttons.ts'
import { icon } from './icons.ts'

export interface Dialog {
  /** unique on the page */
  readonly id: string
  readonly title: HtmlValue
  readonly body: HtmlValue
  /** buttons */
  readonly foot?: HtmlValue
}

export function dialog({ id, title, body, foot }: Dialog): Html {
  return html`<dialog class="dialog" id="${id}" aria-labelledby="${id}-title"><header><h2 id="${id}-title">${title}</h2><button class="btn quiet icon small" type="button" commandfor="${id}" command="close" aria-label="Close">${icon('cross')}</button></header><div class="body form">${body}</div>${foot !== undefined && html`<footer>${foot}</footer>`}</dialog>`
}

export interface DialogOpener {
  /** id of the dialog */
  readonly id: string
  /** a verb, a thing and `…` */
  readonly text: string
  readonly look?: ButtonLook
  /** the page without a dialog, with the path of SITE_ROOT */
  readonly href: string
}

/** Without the script it is a link to the page; with it, it opens the dialog. */
export function dialogOpener({ id, text, look = 'plain', href }: DialogOpener): Html {
  return html`<a class="${look === 'plain' ? 'btn' : `btn ${look}`}" href="${href}" data-dialog="${id}">${text}</a>`
}
