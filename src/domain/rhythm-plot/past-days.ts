/** Reconstructs runs from daily counts for days that are no longer in the log. */
import { unpackedMinutes } from '../run/day-minutes.ts'
import type { DayRuns } from '../run/day-runs.ts'
import { DAY, MINUTE } from '../units.ts'
import type { Slot } from './expected.ts'
import type { PastDay, PlotRun } from './facts.ts'
import { zoneClock } from './zone-clock.ts'

/** @param tz IANA name of the check's time zone */
export function pastDays(days: readonly DayRuns[], tz: string): readonly PastDay[] {
  const midnights = days.map(({ day }) => Date.parse(day))
  const clock = zoneClock(tz, (midnights[0] ?? 0) - DAY, (midnights.at(-1) ?? 0) + 2 * DAY)
  return days.map(({ minutes, runs, failed, missed, longest }, index) => {
    const midnight = midnights[index] ?? 0
    return {
      from: clock.at(midnight),
      until: clock.at(midnight + DAY),
      began: unpackedMinutes(minutes).map((minute) => clock.at(midnight + minute * MINUTE)),
      runs,
      failed,
      missed,
      longest: longest === null ? null : longest / 1_000,
    }
  })
}

/**
 * Returns the days, excluding runs that are also in the log. If the log begins in the middle of a day, only the part of the day before that
 * is kept.
 * @param logged oldest first
 */
export function daysBefore(days: readonly PastDay[], logged: readonly PlotRun[]): readonly PastDay[] {
  const begins = logged[0]?.began ?? Number.POSITIVE_INFINITY
  return days.filter(({ from }) => from < begins).map((day) => (day.until <= begins ? day : cut(day, logged, begins)))
}

function cut(day: PastDay, logged: readonly PlotRun[], until: number): PastDay {
  const { came, failed, missing } = countsOf(
    logged.filter((run) => run.began < day.until),
    [],
  )
  // Leaves out the minute in which the first logged run began, because that run is in the log.
  const began = day.began.filter((at) => at + MINUTE <= until)
  const runs = Math.max(began.length, day.runs - came)
  return {
    ...day,
    until,
    began,
    runs,
    failed: Math.min(runs, Math.max(0, day.failed - failed)),
    missed: Math.max(0, day.missed - missing),
    longest: null,
  }
}

/** Number of runs that happened, how many of them failed, and how many runs are missing. */
export interface RunCounts {
  readonly came: number
  /** number of runs that failed */
  readonly failed: number
  readonly missing: number
}

/** @param days the days before the log begins; they may count more runs than can be drawn */
export function countsOf(logged: readonly PlotRun[], days: readonly PastDay[]): RunCounts {
  const number = (kind: PlotRun['kind']) => logged.filter((run) => run.kind === kind).length
  const sum = (count: 'runs' | 'failed' | 'missed') => days.reduce((all, day) => all + day[count], 0)
  const missing = number('missing')
  return {
    came: logged.length - missing + sum('runs'),
    failed: number('failed') + sum('failed'),
    missing: missing + sum('missed'),
  }
}

/**
 * Reconstructs the runs of several days.
 * @param slots times at which runs were expected, oldest first
 * @param failedFrom share of a day's runs from 0 to 1; if at least this share failed, all of the day's runs are drawn as failed
 */
export function pastRuns(days: readonly PastDay[], slots: readonly Slot[], failedFrom: number): readonly PlotRun[] {
  return days.flatMap((day) => {
    const expected = slots.filter(({ at }) => at >= day.from && at < day.until)
    return [...came(day, expected, failedFrom), ...missed(day, expected)]
  })
}

/**
 * Returns the runs that happened on a day. If there were several, it is unknown which one took longest and, unless all of them failed,
 * which ones failed.
 */
function came(
  { began, runs, failed, longest }: PastDay,
  expected: readonly Slot[],
  failedFrom: number,
): readonly PlotRun[] {
  const isOne = runs === 1
  return began.map((at): PlotRun => {
    const due = isOne ? missedSlot(at, expected) : null
    const ended = isOne ? at + (longest ?? 0) : at
    const good = due === null && !isLong(ended - at, expected) ? 'ran' : 'late'
    return {
      kind: failed >= runs * failedFrom ? 'failed' : good,
      began: at,
      ended,
      isTimed: isOne && longest !== null,
      n: null,
      due,
    }
  })
}

/** Returns the slot if it is the only one on its day and the run began after the slot's grace time; otherwise null. */
function missedSlot(began: number, [slot, another]: readonly Slot[]): number | null {
  return slot && another === undefined && began >= slot.at + slot.grace * MINUTE ? slot.at : null
}

function isLong(duration: number, [slot]: readonly Slot[]): boolean {
  return slot !== undefined && duration >= slot.grace * MINUTE
}

/**
 * Returns a day's missing runs. If the day has more slots than missing runs, the slots farthest from the actual runs are assumed to be the
 * missed ones.
 */
function missed({ missed: count, began }: PastDay, expected: readonly Slot[]): readonly PlotRun[] {
  const distance = ({ at }: Slot) => Math.min(...began.map((other) => Math.abs(other - at)))
  return expected
    .toSorted((a, b) => distance(b) - distance(a))
    .slice(0, count)
    .map(({ at, grace }) => ({
      kind: 'missing',
      began: at,
      ended: at + grace * MINUTE,
      isTimed: false,
      n: null,
      due: at,
    }))
}
