/** Squares for a job that runs many times an hour. They show how regularly the job ran in each part of the hour. */
import type { HourAxis } from './axis.ts'
import type { Grid } from './columns.ts'
import type { PlotRun } from './facts.ts'

export interface Square {
  readonly column: number
  readonly row: number
  /** share of the day's known hours in which the job ran during this part of the hour; greater than 0 and at most 1 */
  readonly share: number
  /** true if at least half of these runs failed */
  readonly isFailed: boolean
}

interface Cell extends Pick<Square, 'column' | 'row'> {
  readonly hours: Set<number>
  runs: number
  failed: number
}

const HOURS = 24

/**
 * Returns the squares of the plot, sorted by row, then by column.
 * @param runs oldest first
 */
export function squaresOf(runs: readonly PlotRun[], { rows }: HourAxis, grid: Grid, now: number): readonly Square[] {
  const cells = new Map<number, Cell>()
  for (const { kind, began } of runs) {
    const { column, minute } = grid.place(began)
    if (kind === 'missing' || column < 0 || column >= grid.columns.length) continue
    const row = Math.floor((minute % 60) / (60 / rows))
    const place = row * grid.columns.length + column
    const cell = cells.get(place) ?? { column, row, hours: new Set(), runs: 0, failed: 0 }
    cells.set(place, cell)
    cell.hours.add(Math.floor(minute / 60))
    cell.runs += 1
    if (kind === 'failed') cell.failed += 1
  }
  const hoursOf = knownHours(runs[0]?.began ?? now, now, grid)
  return [...cells]
    .sort(([a], [b]) => a - b)
    .map(([, { column, row, hours, runs: all, failed }]) => {
      return { column, row, share: Math.min(1, hours.size / hoursOf(column)), isFailed: failed * 2 >= all }
    })
}

/** Returns a function that gives the number of known hours of a day, which is smaller for the day of the first run and the current day. */
function knownHours(first: number, now: number, { place }: Grid): (column: number) => number {
  const [begin, end] = [place(first), place(now)]
  return (column) => {
    const from = column === begin.column ? Math.floor(begin.minute / 60) : 0
    const until = column === end.column ? Math.max(1, Math.floor(end.minute / 60)) : HOURS
    return Math.max(1, until - from)
  }
}
