/** Times on pages. The text is relative, and the tooltip shows the exact time. Without scripts, relative times are not updated. */
import { type Instant, utcSeconds } from '../../../../lib/time.ts'
import { exactWords, type TimeKind, timeWords } from '../../../../lib/time-words.ts'
import { type Html, html } from '../../html.ts'

/** Renders a time such as `2 min ago`, which the script keeps up to date. @param tz IANA name of the time zone in the reader's account */
export function relativeTime(at: Instant, now: Instant, tz: string): Html {
  return timeOf('ago', at, now, tz)
}

/**
 * Renders a time in words that depend on `kind`. The script keeps it up to date.
 * @param tz IANA name of the time zone in the reader's account
 */
export function timeOf(kind: TimeKind, at: Instant, now: Instant, tz: string): Html {
  const { epochMilliseconds: then } = at
  const mark = kind !== 'ago' && html`="${kind}"`
  return html`<time datetime="${at.toString({ smallestUnit: 'second' })}" title="${exactWords(then, tz)}" data-relative${mark}>${timeWords(kind, then, now.epochMilliseconds, tz)}</time>`
}

/** Like {@link timeOf}, for the list of checks. The script adds the exact time when the reader points at the row. */
export function briefTime(kind: TimeKind, at: Instant, now: Instant, tz: string): Html {
  const words = timeWords(kind, at.epochMilliseconds, now.epochMilliseconds, tz)
  return html`<time datetime=${utcSeconds(at)}Z data-relative${kind !== 'ago' && html`=${kind}`}>${words}</time>`
}

/** Renders a time such as `Tue 17 Nov 2026, 09:40:12 EET (07:40:12 UTC)`. */
export function exactTime(at: Instant, tz: string): Html {
  return html`<time datetime="${at.toString({ smallestUnit: 'second' })}">${exactWords(at.epochMilliseconds, tz)}</time>`
}

/** Renders the line that states the time zone for all times on a page. */
export function zoneLine(tz: string): Html {
  return html`<p class="help as-of">Times are in ${tz.replaceAll('_', ' ')}.</p>`
}
