/** The facts that a rhythm plot is drawn from: the runs of a check, and when they were expected. All times are milliseconds since 1970. */
import type { Timing } from '../check/slots.ts'
import type { MutedStretch } from '../silence/muted-stretch.ts'
import type { Stretch } from '../stretch.ts'

export interface RhythmFacts {
  /** the timings that are known, oldest first; the last is today's. What came before the first of them is not judged. */
  readonly timings: readonly [TimingSince, ...TimingSince[]]
  /** of the log, oldest first */
  readonly runs: readonly PlotRun[]
  /** the days before the log begins, oldest first, as far as they are kept */
  readonly days: readonly PastDay[]
  /** stretches in which nothing was expected, oldest first */
  readonly pauses: readonly Stretch[]
  /** stretches in which Overdue itself was away, oldest first */
  readonly outages: readonly Stretch[]
  /** stretches in which nobody was alerted of it, oldest first; they judge no run */
  readonly muted: readonly MutedStretch[]
}

export interface TimingSince extends Timing {
  /** from when on the check had it */
  readonly since: number
  readonly graceSeconds: number
}

export interface PlotRun {
  /** `slow`: it took longer than usual, and came in time */
  readonly kind: 'ran' | 'slow' | 'late' | 'failed' | 'missing'
  /** when it began; of a missing run, when it was expected */
  readonly began: number
  /** when its success or failure came; of a missing run, the end of its grace time */
  readonly ended: number
  /** true: its start is known */
  readonly isTimed: boolean
  /** of its log entry; null for a missing run and for one that the log no longer holds */
  readonly n: number | null
  /** when it was expected, of a run that is missing or began after its grace time; null for others */
  readonly due: number | null
}

/** The numbers that are kept of a day when the log no longer reaches it. */
export interface PastDay {
  /** when it begins in the zone of the check */
  readonly from: number
  /** when the next day begins */
  readonly until: number
  /** when its runs began, to the minute and in order; several in a minute count once */
  readonly began: readonly number[]
  readonly runs: number
  /** of these */
  readonly failed: number
  readonly missed: number
  /** milliseconds of the run that took longest; null when no start is known */
  readonly longest: number | null
}
