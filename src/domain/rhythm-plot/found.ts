/** The facts for the sentence about a rhythm plot. */
import type { RhythmAxis } from './axis.ts'
import type { PastDay, PlotRun, TimingSince } from './facts.ts'
import type { RunCounts } from './past-days.ts'
import type { ZoneClock } from './zone-clock.ts'

export interface Found {
  /** oldest first */
  readonly runs: readonly PlotRun[]
  /** counts of these runs and of those that can't be drawn */
  readonly counts: RunCounts
  /** the days before the log, oldest first */
  readonly days: readonly PastDay[]
  readonly axis: RhythmAxis
  /** the timing of today */
  readonly timing: TimingSince
  /** median of the minutes from run to run */
  readonly gap: number
  /** IANA name of the zone that is shown */
  readonly tz: string
  readonly clock: ZoneClock
  /** number of runs on days on which the schedule expects none */
  readonly extra: number
}

/** `all 30 runs`, `28 of 30 runs` */
export function shareWords(number: number, of: number): string {
  const all = of.toLocaleString('en')
  return number === of ? `all ${all} runs` : `${number.toLocaleString('en')} of ${all} runs`
}
