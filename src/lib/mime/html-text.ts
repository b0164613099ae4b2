/**
 * Converts HTML to the text that a reader would see, for the keyword search. Tags are removed without adding a space, so `<b>S</b>UCCESS`
 * becomes `SUCCESS`. The input is scanned once, from left to right. Scanning 1 MiB of `<` takes 1 ms; Bun's HTMLRewriter would take 150 ms.
 */

import { PIECE } from './decode.ts'

const TAG_BEGIN = /<(?=[A-Za-z/!?])/g
const COMMENT_END = /--!?>/g
const HIDDEN = /^(script|style)(?![-A-Za-z0-9])/i
const HIDDEN_END = { script: /<\/script/gi, style: /<\/style/gi } as const
/** Matches the end of a tag, or the start of a quoted value. A `>` inside a quoted value does not end the tag. */
const TAG_END_OR_QUOTE = />|=\s*["']/g

/**
 * Converts HTML to text. Yields so that other work can run.
 * @param decodeEntities decodes entities like browsers (HTML standard, 13.2.5.72), including `&amp` without its `;`, and `&#150;` as in
 * windows-1252
 */
export function* htmlToText(html: string, decodeEntities: (text: string) => string): Generator<void, string> {
  const seen: string[] = []
  let [read, isAfterBlank] = [0, true]
  for (const { isMarkup, text } of splitHtml(html)) {
    for (let at = 0; at < text.length; ) {
      const end = isMarkup ? text.length : endOfSlice(text, at)
      if (!isMarkup) {
        const shown = decodeEntities(text.slice(at, end)).replace(/\s+/g, ' ')
        seen.push(isAfterBlank && shown.startsWith(' ') ? shown.slice(1) : shown)
        isAfterBlank = shown.endsWith(' ')
      }
      read += end - at
      at = end
      if (read < PIECE) continue
      read = 0
      yield
    }
  }
  return seen.join('').trimEnd()
}

/** Returns the end of a slice of at most {@link PIECE} characters. The slice ends before an entity that may be incomplete. */
function endOfSlice(text: string, at: number): number {
  const end = at + PIECE
  if (end >= text.length) return text.length
  const entity = text.slice(at, end).lastIndexOf('&')
  return entity > 0 ? at + entity : end
}

interface HtmlPiece {
  /** true for a tag, for a comment, or for a script or style element including its end tag */
  readonly isMarkup: boolean
  readonly text: string
}

/** Splits HTML into text and markup. If a tag is not closed, it and everything after it is treated as text. */
export function* splitHtml(html: string): Generator<HtmlPiece> {
  let position = 0
  for (;;) {
    const begin = find(TAG_BEGIN, html, position)
    const end = begin < 0 ? null : endOfMarkup(html, begin + 1)
    if (end === null) break
    if (begin > position) yield { isMarkup: false, text: html.slice(position, begin) }
    yield { isMarkup: true, text: html.slice(begin, end) }
    position = end
  }
  if (position < html.length) yield { isMarkup: false, text: html.slice(position) }
}

/**
 * @param start position just after the `<`
 * @returns position at which the text continues; null if the markup is not closed
 */
function endOfMarkup(html: string, start: number): number | null {
  if (html.startsWith('!--', start)) return endOf(COMMENT_END, html, start + 1)
  const tagEnd = endOfTag(html, start)
  if (tagEnd === null) return null
  const hidden = HIDDEN.exec(html.slice(start, start + 'script '.length))?.[1]?.toLowerCase()
  if (hidden !== 'script' && hidden !== 'style') return tagEnd
  const content = find(HIDDEN_END[hidden], html, tagEnd)
  return content < 0 ? html.length : content
}

function endOfTag(html: string, start: number): number | null {
  for (let position = start; ; ) {
    const end = endOf(TAG_END_OR_QUOTE, html, position)
    const last = end === null ? '' : html.charAt(end - 1)
    if (end === null || last === '>') return end
    const closing = html.indexOf(last, end)
    if (closing < 0) return null
    position = closing + 1
  }
}

function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? -1
}

function endOf(pattern: RegExp, text: string, from: number): number | null {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : null
}
