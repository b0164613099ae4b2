/** The expected runs in a rhythm plot. Schedules are drawn as lines with their grace time, and simple checks as ticks. */
import { nextMilliseconds } from '../schedule/schedule.ts'
import { MINUTE } from '../units.ts'
import type { Grid, Place } from './columns.ts'
import type { PlotRun, TimingSince } from './facts.ts'

/** A horizontal segment of the schedule's line, across consecutive columns. */
export interface ExpectedLine {
  readonly from: number
  /** index of the last column plus one */
  readonly until: number
  /** minutes below the top edge */
  readonly minute: number
  /** grace time in minutes */
  readonly grace: number
}

/** An expected run. */
export interface Slot {
  readonly at: number
  /** grace time in minutes */
  readonly grace: number
}

/**
 * Maximum number of slots, which is enough for about eight a day over ninety days, or one an hour over thirty days. If there are more, no
 * lines are drawn.
 */
const SLOTS = 800

/**
 * Returns the slots of all schedules within a period, oldest first. Each slot is calculated from the timing in effect on its day. Returns
 * an empty list for a simple check, or if the job runs too often to draw lines.
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

/** Returns the next slot, or null if the zone or the schedule is no longer valid. */
function next({ schedule, tz }: TimingSince, after: number): number | null {
  try {
    return nextMilliseconds(schedule, tz, after)
  } catch {
    return null
  }
}

/**
 * Returns the lines. A line is interrupted on days when the check was paused or no run was expected. A new line starts when the timing
 * changes.
 * @param since start of the period for which runs are known
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

/** Maximum number of ticks per day. More would be hard to tell apart. */
const TICKS = 4

/**
 * Returns the positions at which a simple check's runs were expected: one period after the end of the previous run. Returns an empty list
 * if the job runs too often to draw ticks.
 */
export function ticksOf({ kind, timeoutSeconds }: TimingSince, runs: readonly PlotRun[], grid: Grid): readonly Place[] {
  if (kind !== 'simple') return []
  const came = runs.filter((run) => run.kind !== 'missing')
  if (came.length > TICKS * grid.columns.length) return []
  return came
    .map(({ ended }) => grid.place(ended + (timeoutSeconds * MINUTE) / 60))
    .filter(({ column }) => column >= 0 && column < grid.columns.length)
}
