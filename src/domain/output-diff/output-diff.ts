/** The lines that the output of a failed run has and the last good one had not, and the other way round. */
import { type LineChange, lineChanges } from './line-changes.ts'
import { wordsOfMasked } from './masked-line.ts'
import { isSaid, type OutputLine } from './output-lines.ts'
import { type ShownChanges, shownChanges } from './shown-changes.ts'

export interface OutputDiff extends ShownChanges {
  /**
   * Lines of the failed run that the good one has not, the first few, each once. Those that differ only in counts are left out, unless
   * there are no others; blank lines and drawn ones are always left out
   */
  readonly newLines: readonly string[]
  /** true: the outputs have no line in common that says something */
  readonly isAllNew: boolean
}

/** Messages show three, besides the last line. */
const NEW_LINES_KEPT = 4

/** @returns null when nothing but what differs in every run is different */
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
