/** The line-by-line differences between the output of a failed run and that of the last good run. */
import { type LineChange, lineChanges } from './line-changes.ts'
import { wordsOfMasked } from './masked-line.ts'
import { isSaid, type OutputLine } from './output-lines.ts'
import { type ShownChanges, shownChanges } from './shown-changes.ts'

export interface OutputDiff extends ShownChanges {
  /**
   * the first few lines that the good run did not print, without duplicates. Excludes lines in which only a number differs, unless there
   * are no others. Always excludes blank lines and separators such as `-----`
   */
  readonly newLines: readonly string[]
  /** true if the outputs have no meaningful line in common */
  readonly isAllNew: boolean
}

/** Maximum number of new lines to keep. Messages show three of them in addition to the last line. */
const NEW_LINES_KEPT = 4

/** @returns null if the outputs differ only in parts that vary between runs */
export function diffOutputs(good: readonly OutputLine[], failed: readonly OutputLine[]): OutputDiff | null {
  const changes = lineChanges(good, failed)
  if (changes.every(({ mark }) => mark === 'same')) return null
  return {
    ...shownChanges(changes),
    newLines: newLinesOf(changes, good),
    isAllNew: !changes.some(({ mark, line }) => mark === 'same' && isSaid(line)),
  }
}

function newLinesOf(changes: readonly LineChange[], good: readonly OutputLine[]): readonly string[] {
  const byMasked = new Map<string, string>()
  for (const { mark, line } of changes) {
    if (mark === 'new' && isSaid(line) && !byMasked.has(line.masked)) byMasked.set(line.masked, line.text)
  }
  const fresh = [...byMasked]
  const known = new Set(good.map(({ masked }) => wordsOfMasked(masked)))
  const worded = fresh.filter(([masked]) => !known.has(wordsOfMasked(masked)))
  return (worded.length > 0 ? worded : fresh).slice(0, NEW_LINES_KEPT).map(([, text]) => text)
}
