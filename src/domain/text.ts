/** What is done with words that strangers wrote, wherever they are shown: nothing invisible, one line, bounded, escaped. */

/**
 * Control characters (C0 and C1), which command a terminal and which databases of receivers refuse, and those that change
 * the direction of writing (Unicode, 3.12), with which a text is read otherwise than it is.
 */
const UNSEEN = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The text without control characters and bidirectional controls; line ends, as LF, and tabs stay. */
export function printable(text: string): string {
  return text.toWellFormed().replaceAll('\r\n', '\n').replace(UNSEEN, '')
}

/** {@link printable} on one line: for titles, labels and cells, where a line end would look like the end of them. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim()
}

/**
 * Escapes as much of `text` as fits into `limit` UTF-16 units, so that no escape sequence is cut in two.
 * `escapeText` must not look at more than one character at a time.
 */
export function escapeWithin(text: string, limit: number, escapeText: (text: string) => string): string {
  const whole = escapeText(text)
  return whole.length <= limit ? whole : cutWithin(text, limit, escapeText)
}

/** As many pieces as fit into `limit` UTF-16 units once they are written, and an ellipsis for the others. */
export function cutWithin<Piece>(pieces: Iterable<Piece>, limit: number, write: (piece: Piece) => string): string {
  let cut = ''
  for (const piece of pieces) {
    const longer = cut + write(piece)
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
