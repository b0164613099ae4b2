/** Counts the runs that were in progress in each minute of a night. */
import { MINUTE } from '../units.ts'
import type { NightRow } from './row.ts'
import type { NightWindow } from './window.ts'

export interface NightLoad {
  /** times at which the number of runs changes, oldest first, in milliseconds since 1970 */
  readonly steps: readonly { readonly at: number; readonly count: number }[]
  readonly most: number
  /** first minute in which the most runs were in progress; null if there were no runs */
  readonly mostAt: number | null
}

/** Returns the load of a night. Only includes runs that took at least a minute and have a known start. */
export function loadOf(rows: readonly NightRow[], { from, until }: NightWindow, now: number): NightLoad {
  const changes = new Map<number, number>()
  const add = (at: number, by: number) => changes.set(at, (changes.get(at) ?? 0) + by)
  for (const row of rows) {
    for (const { began, ended } of stretchesOf(row, now)) {
      const first = Math.floor(Math.max(from, began) / MINUTE) * MINUTE
      const last = Math.ceil(Math.min(until, ended) / MINUTE) * MINUTE
      if (last <= first) continue
      add(first, 1)
      add(last, -1)
    }
  }
  let count = 0
  const steps = [...changes]
    .toSorted(([a], [b]) => a - b)
    .map(([at, by]) => {
      count += by
      return { at, count }
    })
  const most = Math.max(0, ...steps.map((step) => step.count))
  return { steps, most, mostAt: most === 0 ? null : (steps.find((step) => step.count === most)?.at ?? null) }
}

/** Whether one of this row's runs was in progress during that minute. */
export function runsAt(row: NightRow, minute: number, now: number): boolean {
  return stretchesOf(row, now).some(({ began, ended }) => began < minute + MINUTE && ended > minute)
}

function stretchesOf({ slots, runningSince }: NightRow, now: number) {
  const ended = slots.flatMap(({ run }) => (run?.isTimed && run.ended - run.began >= MINUTE ? [run] : []))
  return runningSince === null ? ended : [...ended, { began: runningSince, ended: now }]
}
