/** What only messages do with words before they leave; the rest is in `domain/text.ts`. */

/** Combining grapheme joiner: shows nothing, and after it a sign no longer belongs to the sign before. */
export const JOINER = '\u034f'

/** For the middle of a line of Markdown: what begins emphasis, code, links, tables, HTML and character references. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>&~|#]/g, '\\$&')
}
