/** Renders user-written text, and converts URLs in it to links. */
import { type Html, html } from '../html.ts'
import { shown } from './words/text.ts'

const ADDRESS = /https?:\/\/[^\s<>"'`]+/gi
/** Matches punctuation and closing brackets after a URL, which are not part of it. */
const AFTER = /[.,:;!?)\]}]+$/

/** Renders the text and keeps its line breaks. Only http and https URLs become links. The links do not send a referrer. */
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
