/** Durations in words of this program: none breaks where a line ends. */
import { type HtmlValue, html } from '../../html.ts'

/** `1 d 1 h`, `26 min 50 s`, `120 ms`, as `durationWords` writes them. */
const DURATION = /(\d+ (?:ms|min|[dhs])\b(?: \d+ (?:min|[hs])\b)?)/

/** @param words of our own, never of a ping or a person */
export function wholeDurations(words: string): HtmlValue {
  // Every other piece is a duration.
  return words
    .split(DURATION)
    .map((piece, index) => (index % 2 === 1 ? html`<span class="dur">${piece}</span>` : piece))
}
