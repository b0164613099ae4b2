/** Makes text from users safe to display: visible, on one line, limited in length, and escaped. */

/**
 * Control characters (C0 and C1) and bidirectional control characters (Unicode, 3.12). Control characters can send commands to terminals,
 * and some receivers' databases reject them. Bidirectional ones can make text look different from what it is.
 */
const UNPRINTABLE = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Removes control characters, including bidirectional ones. Keeps tabs and line breaks, and converts line breaks to LF. */
export function printable(text: string): string {
  return text.toWellFormed().replaceAll('\r\n', '\n').replace(UNPRINTABLE, '')
}

const [ESC, BEL, CSI, ST] = ['\u001b', '\u0007', '\u009b', '\u009c']
/**
 * Matches escape sequences (ECMA-48, 5.3 to 5.6): colors, cursor movements, strings such as titles and links, and others. A string ends no
 * later than its line does.
 */
const ESCAPES = new RegExp(
  [
    `(?:${ESC}\\[|${CSI})[0-?]*[ -/]*(?:[@-~]|$)`,
    `(?:${ESC}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])[^${BEL}${ESC}${ST}\n]*(?:${BEL}|${ESC}\\\\|${ST})?`,
    `${ESC}[ -/]*[0-~]`,
  ].join('|'),
  'g',
)
/** characters with which escape sequences begin */
const SEQUENCES = [...`${ESC}\u0090\u0098${CSI}\u009d\u009e\u009f`]

/**
 * Returns the text as a terminal would show it: without escape sequences and without characters that were overwritten after a backspace.
 */
export function withoutEscapes(text: string): string {
  return struckOver(text.replace(ESCAPES, ''))
}

/**
 * Like {@link withoutEscapes}, but for long text. Yields after at most `piece` characters so that other work can run. Lines longer than
 * that are broken, as in a terminal: no backspace or escape sequence extends across the break.
 */
export function* withoutEscapesInSteps(text: string, piece: number): Generator<void, string> {
  const shown: string[] = []
  for (let at = 0; ; ) {
    const end = endOfPiece(text, at, piece)
    shown.push(withoutEscapes(text.slice(at, end)))
    at = end
    if (at === text.length) return shown.join('')
    yield
  }
}

/**
 * Returns the end of a piece: after a line break if there is one, otherwise before an escape sequence that may be incomplete, or else
 * between any two characters.
 */
function endOfPiece(text: string, at: number, piece: number): number {
  if (text.length - at <= piece) return text.length
  const slice = text.slice(at, at + piece)
  const lineEnd = slice.lastIndexOf('\n')
  if (lineEnd >= 0) return at + lineEnd + 1
  const sequence = SEQUENCES.reduce((last, begin) => Math.max(last, slice.lastIndexOf(begin)), 0)
  if (sequence > 0) return at + sequence
  return at + piece - (slice.isWellFormed() ? 0 : 1)
}

/** Applies backspaces. Each one moves back one character, but not past the start of the line. */
function struckOver(text: string): string {
  if (!text.includes('\b')) return text
  const shown: string[] = []
  let begin = 0
  let at = 0
  for (const character of text) {
    if (character === '\b') {
      at = Math.max(begin, at - 1)
    } else if (character === '\n' || character === '\r') {
      shown.push(character)
      begin = shown.length
      at = begin
    } else {
      shown[at] = character
      at += 1
    }
  }
  return shown.join('')
}

/** Returns {@link printable} text on a single line, for titles, labels and table cells. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim()
}

/**
 * Escapes as much of `text` as fits into `limit` UTF-16 units, without cutting an escape sequence in half.
 * @param escapeText must escape each character independently
 */
export function escapeWithin(text: string, limit: number, escapeText: (text: string) => string): string {
  const whole = escapeText(text)
  return whole.length <= limit ? whole : cutWithin(text, limit, escapeText)
}

/** Writes as many pieces as fit into `limit` UTF-16 units, followed by an ellipsis if some are left out. */
export function cutWithin<Piece>(pieces: Iterable<Piece>, limit: number, write: (piece: Piece) => string): string {
  let cut = ''
  for (const piece of pieces) {
    const longer = cut + write(piece)
    if (longer.length >= limit) break
    cut = longer
  }
  return `${cut}…`
}

/** Truncates the text to at most `limit` UTF-16 units, without splitting a character. */
export function within(text: string, limit: number): string {
  return escapeWithin(text, limit, (unchanged) => unchanged)
}

/** Escapes `&`, `<` and `>`, for text between HTML tags and for Slack's markup. */
export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Matches characters that must be escaped in HTML. Most strings contain none of them, and searching is faster than replacing. */
const SPECIAL = /[&<>"']/

/** Escapes text for use in HTML, including attributes. */
export function escapeHtml(text: string): string {
  if (!SPECIAL.test(text)) return text
  return escapeMarkup(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;')
}

/** Encloses the text in single quotes, within which a shell does not interpret any characters (POSIX 2.2.2). */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Formats a size, such as `12.3 MB`. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Whether a string can be stored in every database. Returns false if it contains U+0000 or a lone surrogate. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** Removes U+0000 and replaces lone surrogates with U+FFFD. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}
