/** A text that a person wrote, with its addresses as links. */
import { type Html, html } from '../html.ts'
import { shown } from './words/text.ts'

const ADDRESS = /https?:\/\/[^\s<>"'`]+/gi
/** Characters that end a sentence or close a bracket, and are not part of the address before them. */
const AFTER = /[.,:;!?)\]}]+$/

/** Renders the text with its line ends. Only http and https become links; the other site does not learn the page that the reader left. */
export function linkedText(text: string): Html {
  const parts: (Html | string)[] = []
  let done = 0
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = found.replace(AFTER, '')
    if (URL.parse(address) === null) continue
    parts.push(lines(text.slice(done, index)))
    parts.push(html`<a href="${address}" rel="noreferrer nofollow">${shown(address)}</a>`)
    done = index + address.length
  }
  parts.push(lines(text.slice(done)))
  return html`<span class="free" dir="auto">${parts}</span>`
}

function lines(text: string): string {
  return text
    .split(/\r\n|[\r\n]/)
    .map(shown)
    .join('\n')
}
