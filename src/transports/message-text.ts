/** What only messages do with words before they leave; the rest is in `domain/text.ts`. */
import { cutWithin } from '../domain/text.ts'

/** Combining grapheme joiner: shows nothing, and after it a sign no longer belongs to the sign before. */
export const JOINER = '\u034f'

/** For the middle of a line of Markdown: what begins emphasis, code, links, tables, HTML and character references. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>&~|#]/g, '\\$&')
}

/**
 * Web addresses as people paste them. Of the signs that begin markup somewhere only those that addresses cannot do without,
 * and parentheses in pairs; the sign that ends a sentence is not a part, nor is what a reader of HTML takes for a character
 * reference.
 */
const URL_IN_TEXT =
  /\bhttps?:\/\/(?:[\p{L}\p{N}\-._~:/?#@=+,;%]|&(?!#?[\p{L}\p{N}]+;)|\([\p{L}\p{N}\-._~]*\))*(?:[\p{L}\p{N}\-_~/#=+%]|\([\p{L}\p{N}\-._~]*\))/giu

/** A piece of a text: an address, or what stands before and behind. */
export interface Piece {
  readonly text: string
  readonly isUrl: boolean
}

/** In the order of the text, none empty. */
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
 * Like `escapeWithin`, but addresses stay as they are, so that they lead where they should; none is cut in two. A blank keeps an
 * escape behind an address out of it, as that of the second bracket in `<https://…>`.
 * @param writeUrl for receivers that want some signs written otherwise in an address too
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
  // No sign becomes less than one by being escaped, so what lies beyond the limit is never looked at.
  const signs = (text: string) => Array.from(text.slice(0, limit), (sign): Piece => ({ text: sign, isUrl: false }))
  const smaller = pieces.flatMap((piece) => (piece.isUrl ? [piece] : signs(piece.text)))
  return cutWithin(smaller, limit, write)
}
