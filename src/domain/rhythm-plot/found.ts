/** The data on which the sentence about a rhythm plot is based. */
import type { RhythmAxis } from './axis.ts'
import type { PastDay, PlotRun, TimingSince } from './facts.ts'
import type { RunCounts } from './past-days.ts'
import type { ZoneClock } from './zone-clock.ts'

export interface Found {
  /** the plotted runs, oldest first */
  readonly runs: readonly PlotRun[]
  /** counts of the plotted runs and of the runs that can't be drawn */
  readonly counts: RunCounts
  /** daily counts of the days before the log begins, oldest first */
  readonly days: readonly PastDay[]
  readonly axis: RhythmAxis
  /** the timing that is currently in effect */
  readonly timing: TimingSince
  /** median time between runs, in minutes */
  readonly gap: number
  /** IANA name of the plot's time zone */
  readonly tz: string
  readonly clock: ZoneClock
  /** number of runs on days for which the schedule expects none */
  readonly extra: number
}

/** Returns a phrase such as `all 30 runs` or `28 of 30 runs`. */
export function shareWords(number: number, of: number): string {
  const all = of.toLocaleString('en')
  return number === of ? `all ${all} runs` : `${number.toLocaleString('en')} of ${all} runs`
}
