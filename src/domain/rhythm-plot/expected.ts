/** Expected runs: lines with their grace time for schedules, and ticks for intervals. */
import { nextMilliseconds } from '../schedule/schedule.ts'
import { MINUTE } from '../units.ts'
import type { Grid, Place } from './columns.ts'
import type { PlotRun, TimingSince } from './facts.ts'

/** A level piece of the schedule, over consecutive columns. */
export interface ExpectedLine {
  readonly from: number
  /** the column after its last one */
  readonly until: number
  /** minutes below the upper edge */
  readonly minute: number
  /** minutes */
  readonly grace: number
}

/** An expected run. */
export interface Slot {
  readonly at: number
  /** minutes */
  readonly grace: number
}

/** Maximum number of slots: enough for six a day in ninety days, or for one an hour in thirty. With more slots there are no lines. */
const SLOTS = 800

/**
 * Returns the slots of schedules in a stretch, each by the timing of its day, oldest first. Empty for an interval, and for a job that runs
 * too often for lines.
 */
export function slotsOf(timings: readonly TimingSince[], from: number, until: number): readonly Slot[] {
  const slots: Slot[] = []
  for (const [index, timing] of timings.entries()) {
    if (timing.kind === 'simple') continue
    const end = Math.min(until, timings[index + 1]?.since ?? until)
    let at = next(timing, Math.max(from, timing.since))
    for (; at !== null && at < end; at = next(timing, at)) {
      if (slots.length === SLOTS) return []
      slots.push({ at, grace: timing.graceSeconds / 60 })
    }
  }
  return slots
}

/** Returns null for a zone or a schedule that can no longer be read. */
function next({ schedule, tz }: TimingSince, after: number): number | null {
  try {
    return nextMilliseconds(schedule, tz, after)
  } catch {
    return null
  }
}

/**
 * Returns lines. They are interrupted on paused days and on days without an expected run; after a change of the timing, a new line begins.
 * @param since the first moment for which runs are known
 */
export function linesOf(slots: readonly Slot[], since: number, { place, columns }: Grid): readonly ExpectedLine[] {
  const first = Math.max(0, place(since).column)
  const open = new Map<string, { from: number; until: number; minute: number; grace: number }>()
  const lines: ExpectedLine[] = []
  for (const { at, grace } of slots) {
    const { column, minute } = place(at)
    if (column < first || (columns[column]?.look ?? 'paused') === 'paused') continue
    const key = `${Math.round(minute)} ${grace}`
    const line = open.get(key)
    if (line?.until === column) line.until = column + 1
    else {
      const begun = { from: column, until: column + 1, minute, grace }
      open.set(key, begun)
      lines.push(begun)
    }
  }
  return lines
}

/** Maximum number of ticks a day; more cannot be distinguished. */
const TICKS = 4

/**
 * Returns the places at which runs of an interval were expected: a period after the end of the previous run. Empty for a job that runs too
 * often for ticks.
 */
export function ticksOf({ kind, timeoutSeconds }: TimingSince, runs: readonly PlotRun[], grid: Grid): readonly Place[] {
  if (kind !== 'simple') return []
  const came = runs.filter((run) => run.kind !== 'missing')
  if (came.length > TICKS * grid.columns.length) return []
  return came
    .map(({ ended }) => grid.place(ended + (timeoutSeconds * MINUTE) / 60))
    .filter(({ column }) => column >= 0 && column < grid.columns.length)
}
