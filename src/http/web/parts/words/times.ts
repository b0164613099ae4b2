/** Times on pages: relative in the text, exact in the title. Without the script, they are as of when the page was rendered. */
import { type Instant, utcSeconds } from '../../../../lib/time.ts'
import { exactWords, type TimeKind, timeWords } from '../../../../lib/time-words.ts'
import { type Html, html } from '../../html.ts'

/** Renders a time such as `2 min ago`, which the script keeps up to date. @param tz zone of the reader's account, IANA name */
export function relativeTime(at: Instant, now: Instant, tz: string): Html {
  return timeOf('ago', at, now, tz)
}

/** Renders a time in the words of its kind, which the script keeps up to date. @param tz zone of the reader's account, IANA name */
export function timeOf(kind: TimeKind, at: Instant, now: Instant, tz: string): Html {
  const { epochMilliseconds: then } = at
  const mark = kind !== 'ago' && html`="${kind}"`
  return html`<time datetime="${at.toString({ smallestUnit: 'second' })}" title="${exactWords(then, tz)}" data-relative${mark}>${timeWords(kind, then, now.epochMilliseconds, tz)}</time>`
}

/** Does the same as {@link timeOf} in the list of checks, where the script adds the exact time when a person points at it. */
export function briefTime(kind: TimeKind, at: Instant, now: Instant, tz: string): Html {
  const words = timeWords(kind, at.epochMilliseconds, now.epochMilliseconds, tz)
  return html`<time datetime=${utcSeconds(at)}Z data-relative${kind !== 'ago' && html`=${kind}`}>${words}</time>`
}

/** Renders a time such as `Tue 17 Nov 2026, 09:40:12 EET (07:40:12 UTC)`. */
export function exactTime(at: Instant, tz: string): Html {
  return html`<time datetime="${at.toString({ smallestUnit: 'second' })}">${exactWords(at.epochMilliseconds, tz)}</time>`
}

/** Names the zone of the times on a page, which are shown without it. */
export function zoneLine(tz: string): Html {
  return html`<p class="help as-of">Times are in ${tz.replaceAll('_', ' ')}.</p>`
}
