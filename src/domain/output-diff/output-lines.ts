/** The lines of an output as a terminal would finally show them. */
import { printable, within } from '../../lib/text/text.ts'
import { maskedLine } from './masked-line.ts'

export interface OutputLine {
  /** on one line, limited in length, without control characters, not escaped */
  readonly text: string
  /** equal for lines whose only differences occur in every run */
  readonly masked: string
}

/** Maximum length of a line in UTF-16 units. */
const LINE_LIMIT = 500

/** Lines kept at the beginning of an output, and as many at its end: jobs fail in the middle of their work, and report it last. */
const LINES_KEPT = 1_000

/**
 * Returns the lines of an output; of many, the first thousand and the last.
 * @param text without escape sequences. Blank lines at its end don't count
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

/** Returns the last text written to a line: progress bars return to the beginning of their line and overwrite it. */
function lastWritten(line: string): string {
  const end = line.endsWith('\r') ? line.replace(/\r+$/, '') : line
  return end.slice(end.lastIndexOf('\r') + 1)
}

/** Whether a line is meaningful: neither blank nor only drawn. */
export function isSaid({ text }: Pick<OutputLine, 'text'>): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}
