/** Durations as this program formats them, without line breaks inside. */
import { type HtmlValue, html } from '../../html.ts'

/** Durations such as `1 d 1 h`, `26 min 50 s` or `120 ms`, as `durationWords` writes them. */
const DURATION = /(\d+ (?:ms|min|[dhs])\b(?: \d+ (?:min|[hs])\b)?)/

/** Keeps durations on one line. @param words text of our own, never of a ping or a person */
export function wholeDurations(words: string): HtmlValue {
  // Every second piece is a duration.
  return words
    .split(DURATION)
    .map((piece, index) => (index % 2 === 1 ? html`<span class="dur">${piece}</span>` : piece))
}
