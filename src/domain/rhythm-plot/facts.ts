/** The data from which a rhythm plot is drawn: a check's runs and their expected times. All times are milliseconds since 1970. */
import type { Timing } from '../check/slots.ts'
import type { MutedStretch } from '../silence/muted-stretch.ts'
import type { Stretch } from '../stretch.ts'

export interface RhythmFacts {
  /** known timings, oldest first; the last one is the current timing. Runs before the first timing are never late or missing */
  readonly timings: readonly [TimingSince, ...TimingSince[]]
  /** runs in the log, oldest first */
  readonly runs: readonly PlotRun[]
  /** daily counts of the days before the log begins, oldest first */
  readonly days: readonly PastDay[]
  /** periods when no run was expected, oldest first */
  readonly pauses: readonly Stretch[]
  /** outages of Overdue itself, oldest first */
  readonly outages: readonly Stretch[]
  /** periods when the check was muted, oldest first. Muting doesn't affect whether runs are late or missing */
  readonly muted: readonly MutedStretch[]
}

export interface TimingSince extends Timing {
  /** time at which the timing took effect */
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
  /** true if it is known when the run started */
  readonly isTimed: boolean
  /** sequence number of the log entry; null for a missing run, or if the entry is no longer in the log */
  readonly n: number | null
  /** expected time of a run that is missing or that began after its grace time; null for other runs */
  readonly due: number | null
}

/** Stored counts for a day that is no longer in the log. */
export interface PastDay {
  /** start of the day in the check's time zone */
  readonly from: number
  /** start of the next day */
  readonly until: number
  /** start times of the day's runs, rounded down to the minute, in order; several runs that began in the same minute count once */
  readonly began: readonly number[]
  readonly runs: number
  /** number of these runs that failed */
  readonly failed: number
  readonly missed: number
  /** duration of the longest run, in milliseconds; null if it is not known when any run started */
  readonly longest: number | null
}
