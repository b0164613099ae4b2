/** Splits output into lines as a terminal would show them in the end. */
import { printable, within } from '../../lib/text/text.ts'
import { maskedLine } from './masked-line.ts'

export interface OutputLine {
  /** text of the line, limited in length, without control characters, not escaped */
  readonly text: string
  /** the line with its varying parts masked; two lines that differ only in those parts have the same value */
  readonly masked: string
}

/** Maximum length of a line, in UTF-16 units. */
const LINE_LIMIT = 500

/**
 * Number of lines to keep at the beginning and at the end of the output. A job can fail halfway through, but it usually prints the error
 * last.
 */
const LINES_KEPT = 1_000

/**
 * Returns an output's lines. If there are too many, returns the first thousand and the last thousand.
 * @param text without escape sequences; blank lines at the end are ignored
 */
export function outputLines(text: string): readonly OutputLine[] {
  const lines = text.trimEnd().split('\n')
  const kept = lines.length <= 2 * LINES_KEPT ? lines : [...lines.slice(0, LINES_KEPT), ...lines.slice(-LINES_KEPT)]
  return kept.map(toLine)
}

function toLine(line: string): OutputLine {
  const text = within(printable(lastWritten(line)).trimEnd(), LINE_LIMIT)
  return { text, masked: maskedLine(text) }
}

/**
 * Returns the text that is left on a line after overwriting. Progress bars, for example, return to the start of the line and overwrite it.
 */
function lastWritten(line: string): string {
  const end = line.endsWith('\r') ? line.replace(/\r+$/, '') : line
  return end.slice(end.lastIndexOf('\r') + 1)
}

/** Whether a line has content, as opposed to a blank line or a separator such as `-----`. */
export function isSaid({ text }: Pick<OutputLine, 'text'>): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}
