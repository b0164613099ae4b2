/**
 * Restores characters in a schedule that were replaced by an editor, a web page or a chat program: no-break spaces, typographic dashes and
 * quotes, full-width digits, and invisible characters.
 */
import { ScheduleError } from '../schedule-text.ts'

export interface PlainText {
  readonly text: string
  /** Position in the typed text of each UTF-16 unit of the plain text, followed by the position of the end. */
  readonly offsets: readonly number[]
}

const LOOKALIKES: ReadonlyMap<string, string> = new Map([
  ['\u2212', '-'], // minus sign
  ['\u2217', '*'], // asterisk operator
  ['\u204E', '*'], // low asterisk
  ['\u2044', '/'], // fraction slash
  ['\u2215', '/'], // division slash
  ['\u2025', '..'], // two dot leader
  ['\u2028', '\n'],
  ['\u2029', '\n'],
  ['\u0085', '\n'],
])

/** Matches format characters (zero-width space, byte order mark, direction marks, soft hyphen) and variation selectors. */
const UNSEEN = /^[\p{Cf}\p{Variation_Selector}]$/u
/** Matches full-width ASCII characters, from `！` to `～`, as typed with Chinese input methods. */
const FULL_WIDTH = /^[\uFF01-\uFF5E]$/
const FULL_WIDTH_DISTANCE = 0xfee0
const QUOTE = /^["'`\u00AB\u00B4\u00BB\u2018-\u201F\u2039\u203A]$/u

/** Converts typed text to plain text. ASCII text is left unchanged, including its white space, unless it is enclosed in quotes. */
export function plainText(typed: string): PlainText {
  let text = ''
  const offsets: number[] = []
  let position = 0
  for (const char of typed) {
    const plain = plainCharacter(char)
    for (let unit = 0; unit < plain.length; unit++) offsets.push(position)
    text += plain
    position += char.length
  }
  return withoutQuotes({ text, offsets: [...offsets, position] })
}

/**
 * Rejects a character that can't be part of a schedule. The error message names the character.
 * @throws ScheduleError with a position in the typed text
 */
export function refuseUnknownCharacter({ text, offsets }: PlainText): void {
  const found = /[^\t\n\v\f\r -~]/u.exec(text)
  if (found === null) return
  const [char] = found
  throw new ScheduleError(
    `A schedule cannot have the character ${characterName(char)}; write plain digits, letters and * , - . / : # ~ instead.`,
    offsets[found.index] ?? 0,
    char.length,
  )
}

/** Returns a name such as `"²" (U+00B2)`. If the character is invisible, returns only the code point. */
export function characterName(char: string): string {
  const code = `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(char) ? `"${char}" (${code})` : code
}

/**
 * Returns the plain character that corresponds to a character: '' for an invisible character, and the character itself if it needs no
 * replacement.
 */
export function plainCharacter(char: string): string {
  if (char <= '\x7F') return char
  if (UNSEEN.test(char)) return ''
  const lookalike = LOOKALIKES.get(char)
  if (lookalike !== undefined) return lookalike
  if (/^\p{Pd}$/u.test(char)) return '-'
  if (FULL_WIDTH.test(char)) return String.fromCharCode(char.charCodeAt(0) - FULL_WIDTH_DISTANCE)
  return /^\s$/.test(char) ? ' ' : char
}

/** Removes quotes that enclose the entire text, as in text pasted from a configuration file. */
function withoutQuotes(plain: PlainText): PlainText {
  const start = plain.text.length - plain.text.trimStart().length
  const end = plain.text.trimEnd().length
  if (end - start < 2 || !QUOTE.test(plain.text[start] ?? '') || !QUOTE.test(plain.text[end - 1] ?? '')) return plain
  return { text: plain.text.slice(start + 1, end - 1), offsets: plain.offsets.slice(start + 1, end) }
}
