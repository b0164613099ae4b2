/** The facts that a rhythm plot is drawn from: the runs of a check, and their expected times. All times are milliseconds since 1970. */
import type { Timing } from '../check/slots.ts'
import type { MutedStretch } from '../silence/muted-stretch.ts'
import type { Stretch } from '../stretch.ts'

export interface RhythmFacts {
  /** the known timings, oldest first; the last is today's. Runs before the first of them are not judged. */
  readonly timings: readonly [TimingSince, ...TimingSince[]]
  /** runs of the log, oldest first */
  readonly runs: readonly PlotRun[]
  /** the stored days before the log begins, oldest first */
  readonly days: readonly PastDay[]
  /** stretches in which nothing was expected, oldest first */
  readonly pauses: readonly Stretch[]
  /** stretches in which Overdue itself was not running, oldest first */
  readonly outages: readonly Stretch[]
  /** stretches in which the check was muted, oldest first; they do not change how runs are judged */
  readonly muted: readonly MutedStretch[]
}

export interface TimingSince extends Timing {
  /** the time from which the check had this timing */
  readonly since: number
  readonly graceSeconds: number
}

export interface PlotRun {
  /** `slow`: the run was in time, but took longer than usual */
  readonly kind: 'ran' | 'slow' | 'late' | 'failed' | 'missing'
  /** when the run began; for a missing run, when it was expected */
  readonly began: number
  /** when the run succeeded or failed; for a missing run, the end of its grace time */
  readonly ended: number
  /** true: its start is known */
  readonly isTimed: boolean
  /** number of its log entry; null for a missing run and for a run that the log no longer has */
  readonly n: number | null
  /** expected time of a run that is missing or began after its grace time; null for others */
  readonly due: number | null
}

/** The stored counts of a day that the log no longer has. */
export interface PastDay {
  /** beginning of the day in the zone of the check */
  readonly from: number
  /** beginning of the next day */
  readonly until: number
  /** beginnings of its runs, to the minute and in order; several in a minute count once */
  readonly began: readonly number[]
  readonly runs: number
  /** number of these that failed */
  readonly failed: number
  readonly missed: number
  /** milliseconds of the longest run; null if no start is known */
  readonly longest: number | null
}
