/** Calculates the smallest set of changes between two lists of lines. Time and memory are bounded for any input. */
import type { OutputLine } from './output-lines.ts'

export interface LineChange {
  readonly mark: 'same' | 'gone' | 'new'
  /** the line; for an unchanged line, as it is in the later list */
  readonly line: OutputLine
}

/**
 * Maximum number of lines to compare on each side, not counting equal lines at the beginning and the end. 500 lines on each side are a
 * quarter of a million pairs, which take about a millisecond to compare.
 */
const COMPARED = 500

/**
 * Returns the lines of both lists in order. The result without the new lines is `before`; without the removed lines, it is `after`. If more
 * than {@link COMPARED} lines differ, only the last of these are compared, because programs usually print errors last.
 */
export function lineChanges(before: readonly OutputLine[], after: readonly OutputLine[]): readonly LineChange[] {
  const begin = alike(before, after, (lines, index) => lines[index])
  const rest = { before: before.slice(begin), after: after.slice(begin) }
  const end = alike(rest.before, rest.after, (lines, index) => lines.at(-1 - index))
  const [old, fresh] = [rest.before.slice(0, rest.before.length - end), rest.after.slice(0, rest.after.length - end)]
  const [oldFrom, freshFrom] = [Math.max(0, old.length - COMPARED), Math.max(0, fresh.length - COMPARED)]
  return [
    ...marked('same', after.slice(0, begin)),
    ...marked('gone', old.slice(0, oldFrom)),
    ...marked('new', fresh.slice(0, freshFrom)),
    ...changesOf(old.slice(oldFrom), fresh.slice(freshFrom)),
    ...marked('same', after.slice(after.length - end)),
  ]
}

type Lines = readonly OutputLine[]

/** Counts how many lines are equal at one end of the lists. `at` indexes lines from that end. */
function alike(before: Lines, after: Lines, at: (lines: Lines, index: number) => OutputLine | undefined): number {
  const most = Math.min(before.length, after.length)
  for (let index = 0; index < most; index++) if (at(before, index)?.masked !== at(after, index)?.masked) return index
  return most
}

function marked(mark: LineChange['mark'], lines: Lines): readonly LineChange[] {
  return lines.map((line) => ({ mark, line }))
}

function changesOf(before: Lines, after: Lines): readonly LineChange[] {
  const common = commonLengths(before, after)
  const changes: LineChange[] = []
  let [i, j] = [0, 0]
  for (;;) {
    const [old, fresh] = [before[i], after[j]]
    if (old === undefined || fresh === undefined) break
    if (old.masked === fresh.masked) {
      changes.push({ mark: 'same', line: fresh })
      i += 1
      j += 1
    } else if (common(i + 1, j) >= common(i, j + 1)) {
      changes.push({ mark: 'gone', line: old })
      i += 1
    } else {
      changes.push({ mark: 'new', line: fresh })
      j += 1
    }
  }
  return [...changes, ...marked('gone', before.slice(i)), ...marked('new', after.slice(j))]
}

/** Returns a function that gives the length of the longest common subsequence of the lines that follow two positions. */
function commonLengths(before: Lines, after: Lines): (i: number, j: number) => number {
  const numbers = new Map<string, number>()
  const numbered = (lines: Lines) =>
    Int32Array.from(lines, ({ masked }) => {
      const number = numbers.get(masked) ?? numbers.size
      numbers.set(masked, number)
      return number
    })
  const [old, fresh] = [numbered(before), numbered(after)]
  const width = fresh.length + 1
  const lengths = new Uint16Array((old.length + 1) * width)
  // No functions are called here, because this is the innermost loop.
  for (let i = old.length - 1; i >= 0; i--) {
    const masked = old[i]
    const row = i * width
    for (let j = fresh.length - 1; j >= 0; j--) {
      const below = lengths[row + width + j] ?? 0
      const beside = lengths[row + j + 1] ?? 0
      if (masked === fresh[j]) lengths[row + j] = (lengths[row + width + j + 1] ?? 0) + 1
      else lengths[row + j] = Math.max(below, beside)
    }
  }
  return (i, j) => lengths[i * width + j] ?? 0
}
