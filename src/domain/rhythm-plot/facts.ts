/** The facts from which a rhythm plot is drawn: a check's runs and their expected times. All times are milliseconds since 1970. */
import type { Timing } from '../check/slots.ts'
import type { MutedStretch } from '../silence/muted-stretch.ts'
import type { Stretch } from '../stretch.ts'

export interface RhythmFacts {
  /** known timings, oldest first; the last one is the current timing. Runs before the first timing are not judged */
  readonly timings: readonly [TimingSince, ...TimingSince[]]
  /** runs in the log, oldest first */
  readonly runs: readonly PlotRun[]
  /** stored days that precede the log, oldest first */
  readonly days: readonly PastDay[]
  /** stretches in which no run was expected, oldest first */
  readonly pauses: readonly Stretch[]
  /** outages of Overdue itself, oldest first */
  readonly outages: readonly Stretch[]
  /** stretches in which the check was muted, oldest first. They don't affect how runs are judged */
  readonly muted: readonly MutedStretch[]
}

export interface TimingSince extends Timing {
  /** time from which the timing applied */
  readonly since: number
  readonly graceSeconds: number
}

export interface PlotRun {
  /** `slow`: the run was on time but took longer than usual */
  readonly kind: 'ran' | 'slow' | 'late' | 'failed' | 'missing'
  /** time at which the run began; for a missing run, the expected time */
  readonly began: number
  /** time at which the run succeeded or failed; for a missing run, the end of its grace time */
  readonly ended: number
  /** true: the start of the run is known */
  readonly isTimed: boolean
  /** number of the log entry; null for a missing run, or if the entry is no longer in the log */
  readonly n: number | null
  /** expected time of a run that is missing or began after its grace time; null for other runs */
  readonly due: number | null
}

/** Stored counts of a day that is no longer in the log. */
export interface PastDay {
  /** start of the day in the check's time zone */
  readonly from: number
  /** start of the next day */
  readonly until: number
  /** start times of the day's runs, to the minute, in order; runs that began in the same minute count once */
  readonly began: readonly number[]
  readonly runs: number
  /** number of these runs that failed */
  readonly failed: number
  readonly missed: number
  /** duration of the longest run, in milliseconds; null if no start is known */
  readonly longest: number | null
}
