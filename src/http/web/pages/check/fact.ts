/** One of the facts below the sentence. */
import { type Html, type HtmlValue, html } from '../../html.ts'

export interface Fact {
  readonly name: string
  readonly value: HtmlValue
  readonly more: HtmlValue
}

export function factHtml({ name, value, more }: Fact): Html {
  return html`<div><dt>${name}</dt><dd>${value}<small>${more}</small></dd></div>`
}
