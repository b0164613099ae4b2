/** Prepares changes for display: keeps a few unchanged lines around each change and folds long unchanged parts. */
import type { LineChange } from './line-changes.ts'

export type DiffLine =
  | { readonly kind: LineChange['mark']; readonly text: string }
  /** a placeholder for several folded lines */
  | { readonly kind: 'folded'; readonly of: LineChange['mark']; readonly lines: number }

export interface ShownChanges {
  /** lines, in the same order as in the output, at most {@link MOST_SHOWN} */
  readonly lines: readonly DiffLine[]
  /** number of changed lines that are not shown */
  readonly more: number
}

const MOST_SHOWN = 40

/** Numbers of lines to keep at the beginning and at the end of a group of lines. */
type Kept = Readonly<Record<LineChange['mark'], readonly [head: number, tail: number]>>

const ROOMY: Kept = { same: [2, 2], gone: [4, 0], new: [14, 10] }
/** Keeps more of the new lines than of the others, because they show why a run failed. */
const TIGHT: Kept = { same: [0, 0], gone: [0, 0], new: [6, 6] }

export function shownChanges(changes: readonly LineChange[]): ShownChanges {
  const runs = runsOf(changes)
  const roomy = folded(runs, ROOMY)
  if (roomy.length <= MOST_SHOWN) return { lines: roomy, more: 0 }
  const lines = folded(runs, TIGHT)
  const left = lines.slice(MOST_SHOWN)
  return { lines: lines.slice(0, MOST_SHOWN), more: left.reduce((sum, line) => sum + changedIn(line), 0) }
}

/** Groups consecutive lines with the same mark. */
function runsOf(changes: readonly LineChange[]): readonly (readonly LineChange[])[] {
  const runs: LineChange[][] = []
  for (const change of changes) {
    const last = runs.at(-1)
    if (last?.[0]?.mark === change.mark) last.push(change)
    else runs.push([change])
  }
  return runs
}

function folded(runs: readonly (readonly LineChange[])[], kept: Kept): readonly DiffLine[] {
  return runs.flatMap((run, index) => {
    const mark = run[0]?.mark ?? 'same'
    const [head, tail] = kept[mark]
    // Unchanged lines at the very beginning or end have a change on only one side.
    if (mark === 'same' && index === 0) return fold(run, 0, tail)
    return fold(run, head, mark === 'same' && index === runs.length - 1 ? 0 : tail)
  })
}

/** Folds the middle of a group of lines. A single line is not folded, because the placeholder would take the same space. */
function fold(run: readonly LineChange[], head: number, tail: number): readonly DiffLine[] {
  const between = run.slice(head, run.length - tail)
  const [first] = between
  if (first === undefined || run.length <= head + tail + 1) return run.map(toDiffLine)
  return [
    ...run.slice(0, head).map(toDiffLine),
    { kind: 'folded', of: first.mark, lines: between.length },
    ...run.slice(run.length - tail).map(toDiffLine),
  ]
}

function toDiffLine({ mark, line }: LineChange): DiffLine {
  return { kind: mark, text: line.text }
}

function changedIn(line: DiffLine): number {
  if (line.kind === 'folded') return line.of === 'same' ? 0 : line.lines
  return line.kind === 'same' ? 0 : 1
}
