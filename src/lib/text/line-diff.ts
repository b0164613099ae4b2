/** Creates unified diffs between two versions of a text in which individual lines were replaced. */

const CONTEXT = 3

/** The lines of a text before and after a change, in order. Each line includes its line break, except that the last line may have none. */
export interface ChangedText {
  readonly before: readonly string[]
  /** lines after the change; there are as many as in `before` */
  readonly after: readonly string[]
}

/** Splits a string into lines, including their line breaks. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/**
 * Formats a change as a unified diff, like GNU diff. `patch` can apply it.
 * @param name name of the file, without line breaks
 * @returns an empty string if nothing changed
 */
export function unifiedDiff({ before, after }: ChangedText, name: string): string {
  const changed = before.flatMap((line, index) => (line === after[index] ? [] : [index]))
  if (changed.length === 0) return ''
  const hunks = hunksOf(changed, before.length).map(([start, end]) =>
    hunk(before.slice(start, end), after.slice(start, end), start),
  )
  return `--- ${name}\n+++ ${name}\n${hunks.join('')}`
}

/** @returns the ranges of lines to show: the changed lines with some context. Adjacent ranges are merged */
function hunksOf(changed: readonly number[], lines: number): [start: number, end: number][] {
  const hunks: [number, number][] = []
  for (const index of changed) {
    const start = Math.max(0, index - CONTEXT)
    const end = Math.min(lines, index + CONTEXT + 1)
    const last = hunks.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = end
    else hunks.push([start, end])
  }
  return hunks
}

function hunk(before: readonly string[], after: readonly string[], start: number): string {
  const range = `${start + 1},${before.length}`
  const lines: string[] = []
  let index = 0
  while (index < before.length) {
    if (before[index] === after[index]) {
      lines.push(marked(' ', before[index++]))
      continue
    }
    const from = index
    while (index < before.length && before[index] !== after[index]) index++
    lines.push(...before.slice(from, index).map((line) => marked('-', line)))
    lines.push(...after.slice(from, index).map((line) => marked('+', line)))
  }
  return `@@ -${range} +${range} @@\n${lines.join('')}`
}

function marked(mark: string, line = ''): string {
  return line.endsWith('\n') ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`
}
