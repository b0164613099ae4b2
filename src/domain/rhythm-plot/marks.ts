/** The marks in a rhythm plot: a bar from the start to the end of each run, or a box for a missing run. */
import { MINUTE } from '../units.ts'
import type { TimeAxis } from './axis.ts'
import type { Grid } from './columns.ts'
import type { PlotRun } from './facts.ts'

export interface Mark {
  readonly kind: PlotRun['kind']
  readonly column: number
  /** Minutes below the top edge, within the axis. `from` and `until` are equal if the duration is unknown. */
  readonly from: number
  readonly until: number
  /** edge of the plot that the run is beyond; null if the run is inside the plot */
  readonly edge: 'above' | 'below' | null
}

/** @param runs oldest first */
export function marksOf(runs: readonly PlotRun[], { length }: TimeAxis, grid: Grid): readonly Mark[] {
  return runs.flatMap(({ kind, began, ended }) => {
    const { column, minute } = grid.place(began)
    if (column < 0 || column >= grid.columns.length) return []
    const until = minute + (ended - began) / MINUTE
    const edge = until < 0 ? 'above' : minute > length ? 'below' : null
    return [{ kind, column, from: within(minute, length), until: within(until, length), edge }]
  })
}

function within(minute: number, length: number): number {
  return Math.min(length, Math.max(0, minute))
}
