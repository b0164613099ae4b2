/** Prevents the browser from breaking lines inside durations. */
import { type HtmlValue, html } from '../../html.ts'

/** Matches durations in the format of `durationWords`, such as `1 d 1 h`, `26 min 50 s` or `120 ms`. */
const DURATION = /(\d+ (?:ms|min|[dhs])\b(?: \d+ (?:min|[hs])\b)?)/

/** Keeps durations in text on one line. @param words text written by this program, never by a ping or a user */
export function wholeDurations(words: string): HtmlValue {
  // The pieces at odd indexes are durations.
  return words
    .split(DURATION)
    .map((piece, index) => (index % 2 === 1 ? html`<span class="dur">${piece}</span>` : piece))
}
