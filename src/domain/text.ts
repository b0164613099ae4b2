/** What is done with words that strangers wrote, wherever they are shown: nothing invisible, one line, bounded, escaped. */

/** Keeps line ends and tabs only: receivers that store text in a database answer a NUL with an error. */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '')
}

/** For titles and labels, where a line end would look like the end of them. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim()
}

/**
 * Escapes as much of `text` as fits into `limit` UTF-16 units, so that no escape sequence is cut in two.
 * `escapeText` must not look at more than one character at a time.
 */
export function escapeWithin(text: string, limit: number, escapeText: (text: string) => string): string {
  const whole = escapeText(text)
  if (whole.length <= limit) return whole
  let cut = ''
  for (const character of text) {
    const longer = cut + escapeText(character)
    if (longer.length >= limit) break
    cut = longer
  }
  return `${cut}…`
}

/** At most `limit` UTF-16 units, no character cut in two. */
export function within(text: string, limit: number): string {
  return escapeWithin(text, limit, (unchanged) => unchanged)
}

/** `&`, `<` and `>`, for text between tags; also what Slack's markup asks for. */
export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** For HTML, attributes included. */
export function escapeHtml(text: string): string {
  return escapeMarkup(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;')
}

/** `12.3 MB` */
export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
