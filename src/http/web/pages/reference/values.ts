/** Renders descriptions, examples and bodies on the reference page. */

import type { Answer, Example, MediaType } from '../../../api/description/parts.ts'
import { type Html, html } from '../../html.ts'
import { schemaWords } from './schema-words.ts'

/** Renders text, with the parts in backticks as code. */
export function marked(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`
}

export function firstOf(examples: Readonly<Record<string, Example>>): unknown {
  return Object.values(examples)[0]?.value
}

export function contentHtml(content: Readonly<Record<string, MediaType>>): Html {
  return html`${Object.entries(content).map(
    ([type, { schema, examples = {} }]) =>
      html`<p><code>${type}</code>: ${schemaWords(schema)}</p>${Object.values(examples).map(exampleHtml)}`,
  )}`
}

function exampleHtml({ summary, value }: Example): Html {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  // Don't collapse an example that fits on one line.
  return text.length <= 100
    ? html`<p class="example">${summary}: <code>${text.trim()}</code></p>`
    : html`<details><summary>${summary}</summary><pre tabindex="0"><code>${text}</code></pre></details>`
}

export function answerBody({ description, headers = {}, content = {} }: Answer, status?: Html): Html {
  const links = Object.keys(headers).map(
    (name, index) => html`${index > 0 && ', '}<a href="#header-${name}">${name}</a>`,
  )
  return html`<p>${status} ${marked(description)}</p>${contentHtml(content)}${
    links.length > 0 && html`<p class="example">Headers: ${links}</p>`
  }`
}
