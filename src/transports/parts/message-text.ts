/** Escapes text for messages; `lib/text/text.ts` has the general tools. */
import { cutWithin, escapeHtml } from '../../lib/text/text.ts'

/** Combining grapheme joiner: invisible, and separates a character from the one before it. */
export const JOINER = '\u034f'

/** Escapes text for the middle of a line of Markdown: emphasis, code, links, tables, HTML and character references. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>&~|#]/g, '\\$&')
}

/** Returns a link in HTML. @param text is escaped already */
export function htmlLink(text: string, url: string): string {
  return `<a href="${escapeHtml(url)}">${text}</a>`
}

/** Returns a link in Markdown. @param text is escaped already */
export function markdownLink(text: string, url: string): string {
  return `[${text}](${url})`
}

/**
 * Matches URLs as people paste them. Of the characters that start markup somewhere, it accepts only those that URLs need, and
 * parentheses in pairs. A final punctuation mark is not included, nor is text that HTML reads as a character reference.
 */
const URL_IN_TEXT =
  /\bhttps?:\/\/(?:[\p{L}\p{N}\-._~:/?#@=+,;%]|&(?!#?[\p{L}\p{N}]+;)|\([\p{L}\p{N}\-._~]*\))*(?:[\p{L}\p{N}\-_~/#=+%]|\([\p{L}\p{N}\-._~]*\))/giu

/** A URL in a text, or the text before or after one. */
interface Piece {
  readonly text: string
  readonly isUrl: boolean
}

/** Splits a text in order, without empty pieces. */
export function splitAtUrls(text: string): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  const add = (piece: string, isUrl: boolean) => void (piece !== '' && pieces.push({ text: piece, isUrl }))
  for (const { 0: url, index } of text.matchAll(URL_IN_TEXT)) {
    add(text.slice(end, index), false)
    add(url, true)
    end = index + url.length
  }
  add(text.slice(end), false)
  return pieces
}

/**
 * Like `escapeWithin`, but leaves URLs unchanged and whole. A space separates a URL from an escape after it, such as that of
 * the second bracket in `<https://…>`.
 * @param writeUrl for receivers that need some characters of a URL escaped too
 */
export function escapeAroundUrls(
  text: string,
  limit: number,
  escapeText: (text: string) => string,
  writeUrl: (url: string) => string = (url) => url,
): string {
  const pieces = splitAtUrls(text).map((piece, index, all): Piece => {
    const [first = ''] = piece.text
    return all[index - 1]?.isUrl && escapeText(first) !== first ? { text: ` ${piece.text}`, isUrl: false } : piece
  })
  const write = ({ text, isUrl }: Piece) => (isUrl ? writeUrl(text) : escapeText(text))
  const whole = pieces.map(write).join('')
  if (whole.length <= limit) return whole
  // Escaping never shortens a character, so text beyond the limit can't fit.
  const signs = (text: string) => Array.from(text.slice(0, limit), (sign): Piece => ({ text: sign, isUrl: false }))
  const smaller = pieces.flatMap((piece) => (piece.isUrl ? [piece] : signs(piece.text)))
  return cutWithin(smaller, limit, write)
}
