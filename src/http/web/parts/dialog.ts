/** Dialogs: a native `<dialog>`, which the script opens. */
import { type Html, type HtmlValue, html } from '../html.ts'
import { icon } from './icons.ts'

interface Dialog {
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
