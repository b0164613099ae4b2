/** Folds similar runs into a single line of the list, so that unusual runs stand out. */

export type RunLine<Run> =
  | { readonly kind: 'run'; readonly run: Run }
  /** runs that resemble the run above them, newest first */
  | { readonly kind: 'fold'; readonly runs: readonly Run[] }

/** Number of runs at the top of the list that are never folded. */
const ALWAYS_SHOWN = 5
const FOLDED_FROM = 3
const LINES_SHOWN = 12

/**
 * Folds groups of three or more runs into one line if they resemble the run above them.
 * @param runs newest first
 * @returns at most twelve lines
 */
export function foldRuns<Run>(
  runs: readonly Run[],
  isAlike: (run: Run, newer: Run) => boolean,
): readonly RunLine<Run>[] {
  const lines: RunLine<Run>[] = []
  for (let index = 0; index < runs.length && lines.length < LINES_SHOWN; ) {
    const like = index < ALWAYS_SHOWN ? [] : alikeFrom(runs, index, isAlike)
    const run = runs[index]
    if (like.length >= FOLDED_FROM) lines.push({ kind: 'fold', runs: like })
    else if (run !== undefined) lines.push({ kind: 'run', run })
    index += like.length >= FOLDED_FROM ? like.length : 1
  }
  return lines
}

/** Returns the run at an index and those after it, as long as they resemble the run before the index. */
function alikeFrom<Run>(
  runs: readonly Run[],
  from: number,
  isAlike: (run: Run, newer: Run) => boolean,
): readonly Run[] {
  const newer = runs[from - 1]
  if (newer === undefined) return []
  const end = runs.findIndex((run, index) => index >= from && !isAlike(run, newer))
  return runs.slice(from, end < 0 ? undefined : end)
}
