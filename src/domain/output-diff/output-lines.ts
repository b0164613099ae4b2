/** The lines of an output as a terminal would leave them on the screen. */
import { printable, within } from '../../lib/text/text.ts'
import { maskedLine } from './masked-line.ts'

export interface OutputLine {
  /** on one line, limited in length, without control characters, not escaped */
  readonly text: string
  /** equal for lines that differ only in what differs in every run */
  readonly masked: string
}

/** UTF-16 units of a line. */
const LINE_LIMIT = 500

/** Lines at the beginning of an output, and as many at its end: jobs die in the middle of what they do, and say so last. */
const LINES_KEPT = 1_000

/** The lines of an output; of many, the first thousand and the last. @param text without escape sequences. Blank lines at its end are none */
export function outputLines(text: string): readonly OutputLine[] {
  const lines = text.trimEnd().split('\n')
  const kept = lines.length <= 2 * LINES_KEPT ? lines : [...lines.slice(0, LINES_KEPT), ...lines.slice(-LINES_KEPT)]
  return kept.map(toLine)
}

function toLine(line: string): OutputLine {
  const text = within(printable(lastWritten(line)).trimEnd(), LINE_LIMIT)
  return { text, masked: maskedLine(text) }
}

/** Progress bars go back to the beginning of their line and write over it. */
function lastWritten(line: string): string {
  const end = line.endsWith('\r') ? line.replace(/\r+$/, '') : line
  return end.slice(end.lastIndexOf('\r') + 1)
}

/** True for a line that says something: one that is not blank, nor only drawn. */
export function isSaid({ text }: Pick<OutputLine, 'text'>): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}
