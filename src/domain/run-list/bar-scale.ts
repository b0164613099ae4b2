/** The scale of the bars in the list of runs. Each bar shows when a run happened relative to its due time. */
import type { ListedRun } from './run-list.ts'

/** Milliseconds relative to the due time; negative if earlier. */
export interface BarScale {
  readonly from: number
  readonly until: number
}

/** Minimum share of runs whose bars must fit. If all had to fit, a single very late run would make the other bars tiny. */
const SHOWN = 0.95

/**
 * Calculates the scale of the bars. Returns null if no run has a due time.
 * @param grace milliseconds
 * @param now milliseconds since 1970
 */
export function barScale(runs: readonly Omit<ListedRun, 'changes'>[], grace: number, now: number): BarScale | null {
  const bars = runs.flatMap((run) => {
    if (run.due === null) return []
    const until = run.kind === 'missing' ? run.due + grace : (run.ended ?? now)
    return [{ from: run.began - run.due, until: until - run.due }]
  })
  if (bars.length === 0) return null
  const ends = bars.map(({ until }) => until).sort((a, b) => a - b)
  const until = Math.max(grace, ends[Math.ceil(ends.length * SHOWN) - 1] ?? 0)
  return { from: Math.min(0, ...bars.map(({ from }) => from)), until }
}
