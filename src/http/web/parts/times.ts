/** Times on pages: relative first, exact in the title. Without the script they are as of the page's making. */
import type { Instant } from '../../../lib/time.ts'
import { exactWords, relativeWords } from '../browser/words.ts'
import { type Html, html } from '../html.ts'

/** `2 min ago`, kept up to date by the script. @param tz of the reader's account, IANA name */
export function relativeTime(at: Instant, now: Instant, tz: string): Html {
  const { epochMilliseconds: then } = at
  const words = relativeWords(then, now.epochMilliseconds, tz)
  return html`<time datetime="${at.toString({ smallestUnit: 'second' })}" title="${exactWords(then, tz)}" data-relative>${words}</time>`
}

/** `Tue 17 Nov 2026, 09:40:12 EET (07:40:12 UTC)`. */
export function exactTime(at: Instant, tz: string): Html {
  return html`<time datetime="${at.toString({ smallestUnit: 'second' })}">${exactWords(at.epochMilliseconds, tz)}</time>`
}
