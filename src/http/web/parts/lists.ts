/** Renders cards, and lists of names and values. */
import { type Html, type HtmlValue, html } from '../html.ts'

export function keyValues(rows: readonly (readonly [name: string, value: HtmlValue])[]): Html {
  return html`<dl class="kv">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}

export interface Fact {
  readonly name: string
  readonly value: HtmlValue
  /** small text below the value */
  readonly more: HtmlValue
}

/** Renders facts side by side, for use below the sentence at the top of a page. */
export function factList(facts: readonly Fact[]): Html {
  const items = facts.map(
    ({ name, value, more }) => html`<div><dt>${name}</dt><dd>${value}<small>${more}</small></dd></div>`,
  )
  return html`<dl class="facts">${items}</dl>`
}

interface Card {
  readonly title: HtmlValue
  /** content next to the title */
  readonly aside?: HtmlValue
  readonly body: HtmlValue
}

export function card({ title, aside, body }: Card): Html {
  return html`<section class="card"><header><h2>${title}</h2>${aside}</header><div class="body">${body}</div></section>`
}

/**
 * Renders a value that users can copy. If the browser allows access to the clipboard, a button copies the value. Otherwise, a click selects
 * the value.
 * @param key keyboard shortcut that copies the value
 */
export function copyable(value: string, name: string, key?: string): Html {
  return html`<div class="copy"><code data-copy${key !== undefined && html` data-key="${key}"`} tabindex="0" role="group" aria-label="${name}">${value}</code></div>`
}
