/** Times on pages: relative first, exact in the title. Without the script they are as of the page's making. */
import { type Instant, utcSeconds } from '../../../../lib/time.ts'
import { exactWords, type TimeKind, timeWords } from '../../../../lib/time-words.ts'
import { type Html, html } from '../../html.ts'

/** `2 min ago`, kept up to date by the script. @param tz of the reader's account, IANA name */
export function relativeTime(at: Instant, now: Instant, tz: string): Html {
  return timeOf('ago', at, now, tz)
}

/** A time in the words of its kind, kept up to date by the script. @param tz of the reader's account, IANA name */
export function timeOf(kind: TimeKind, at: Instant, now: Instant, tz: string): Html {
  const { epochMilliseconds: then } = at
  const mark = kind !== 'ago' && html`="${kind}"`
  return html`<time datetime="${at.toString({ smallestUnit: 'second' })}" title="${exactWords(then, tz)}" data-relative${mark}>${timeWords(kind, then, now.epochMilliseconds, tz)}</time>`
}

/** Like {@link timeOf} in the list of checks, where the script adds the exact time when somebody comes near. */
export function briefTime(kind: TimeKind, at: Instant, now: Instant, tz: string): Html {
  const words = timeWords(kind, at.epochMilliseconds, now.epochMilliseconds, tz)
  return html`<time datetime=${utcSeconds(at)}Z data-relative${kind !== 'ago' && html`=${kind}`}>${words}</time>`
}

/** `Tue 17 Nov 2026, 09:40:12 EET (07:40:12 UTC)`. */
export function exactTime(at: Instant, tz: string): Html {
  return html`<time datetime="${at.toString({ smallestUnit: 'second' })}">${exactWords(at.epochMilliseconds, tz)}</time>`
}

/** Names the zone of the times on a page, which are shown without it. */
export function zoneLine(tz: string): Html {
  return html`<p class="help as-of">Times are in ${tz.replaceAll('_', ' ')}.</p>`
}
