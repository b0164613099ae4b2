/**
 * Characters of a schedule that an editor, a web page or a chat has put in the place of plain ones: no-break spaces, typographic
 * dashes and quotes, full-width digits, and characters that nobody sees.
 */
import { ScheduleError } from '../schedule-text.ts'

export interface PlainText {
  readonly text: string
  /** Where each code unit of the text stands in what was typed; one more for its end. */
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

/** Format characters (zero-width space, byte order mark, marks of direction, soft hyphen) and variation selectors. */
const UNSEEN = /^[\p{Cf}\p{Variation_Selector}]$/u
/** From `！` to `～`: the ASCII characters in the width of Chinese ones. */
const FULL_WIDTH = /^[\uFF01-\uFF5E]$/
const FULL_WIDTH_DISTANCE = 0xfee0
const QUOTE = /^["'`\u00AB\u00B4\u00BB\u2018-\u201F\u2039\u203A]$/u

/** A text of ASCII characters without quotes around it comes back as it is, white space included. */
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
 * Refuses a character that no schedule has, and names it.
 * @throws ScheduleError that points into what was typed
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

/** `"²" (U+00B2)`, or the number alone of a character that cannot be seen. */
export function characterName(char: string): string {
  const code = `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(char) ? `"${char}" (${code})` : code
}

/** The plain character that somebody meant, empty for one that nobody sees; any other character as it is. */
export function plainCharacter(char: string): string {
  if (char <= '\x7F') return char
  if (UNSEEN.test(char)) return ''
  const lookalike = LOOKALIKES.get(char)
  if (lookalike !== undefined) return lookalike
  if (/^\p{Pd}$/u.test(char)) return '-'
  if (FULL_WIDTH.test(char)) return String.fromCharCode(char.charCodeAt(0) - FULL_WIDTH_DISTANCE)
  return /^\s$/.test(char) ? ' ' : char
}

/** Takes the quotes away that stand around the whole, as they come along from a settings file. */
function withoutQuotes(plain: PlainText): PlainText {
  const start = plain.text.length - plain.text.trimStart().length
  const end = plain.text.trimEnd().length
  if (end - start < 2 || !QUOTE.test(plain.text[start] ?? '') || !QUOTE.test(plain.text[end - 1] ?? '')) return plain
  return { text: plain.text.slice(start + 1, end - 1), offsets: plain.offsets.slice(start + 1, end) }
}
