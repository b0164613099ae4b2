/** Escapes text for messages. General text functions are in `lib/text/text.ts`. */
import { cutWithin, escapeHtml } from '../../lib/text/text.ts'

/** The combining grapheme joiner, which is invisible and separates a character from the one before it. */
export const JOINER = '\u034f'

/** Escapes text for use within a line of Markdown: emphasis, code, links, tables, HTML and character references. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>&~|#]/g, '\\$&')
}

/** Returns an HTML link. @param text is already escaped */
export function htmlLink(text: string, url: string): string {
  return `<a href="${escapeHtml(url)}">${text}</a>`
}

/** Returns a Markdown link. @param text is already escaped */
export function markdownLink(text: string, url: string): string {
  return `[${text}](${url})`
}

/**
 * Matches URLs as users paste them. A character that starts markup in some format is accepted only if URLs need it, and parentheses are
 * accepted only in pairs. Excludes a final punctuation mark and any text that HTML would parse as a character reference.
 */
const URL_IN_TEXT =
  /\bhttps?:\/\/(?:[\p{L}\p{N}\-._~:/?#@=+,;%]|&(?!#?[\p{L}\p{N}]+;)|\([\p{L}\p{N}\-._~]*\))*(?:[\p{L}\p{N}\-_~/#=+%]|\([\p{L}\p{N}\-._~]*\))/giu

/** A URL in a text, or the text before or after it. */
interface Piece {
  readonly text: string
  readonly isUrl: boolean
}

/** Splits a text at its URLs. The pieces are in their original order and never empty. */
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
 * Does the same as `escapeWithin`, but never changes or truncates URLs. Adds a space between a URL and an escape sequence after it, such as
 * the escape sequence for the second bracket in `<https://…>`.
 * @param writeUrl escapes URLs, for receivers that need this
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
  // Escaping never makes text shorter, so text beyond the limit can't fit.
  const signs = (text: string) => Array.from(text.slice(0, limit), (sign): Piece => ({ text: sign, isUrl: false }))
  const smaller = pieces.flatMap((piece) => (piece.isUrl ? [piece] : signs(piece.text)))
  return cutWithin(smaller, limit, write)
}
