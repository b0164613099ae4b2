/** Advice about the monitoring of checks, and their runs by day. */
import type { Advice, AdviceKind } from '../../domain/advice/advice.ts'
import type { AdviceState } from '../../domain/advice/stored-advice.ts'
import type { DayRuns } from '../../domain/run/day-runs.ts'
import type { Instant } from '../../lib/time.ts'

/** A check's stored advice. */
export interface StoredAdvice extends AdviceState {
  readonly checkId: string
  readonly projectId: string
  /** when to examine the check next */
  readonly lookAfter: Instant
  /** the check's `nPings` when it was last examined */
  readonly lookedN: number
  /** kind of the first advice that was not hidden at the last look; null if there is none */
  readonly kind: AdviceKind | null
  readonly variant: string | null
  /** when pages first showed that advice */
  readonly since: Instant | null
}

/** The result of examining a check. */
export interface Look {
  /** the advice at the time when the check was claimed */
  readonly claimed: StoredAdvice
  /** the check's `nPings` when it was read */
  readonly lookedN: number
  readonly advice: readonly Advice[]
  /** the runs since the last look, by day */
  readonly days: readonly DayRuns[]
  /** stored days before this one are deleted */
  readonly oldestDay: string
  readonly lookAfter: Instant
}

/** A project's time zones. */
export interface ProjectZones {
  /** number of checks with a schedule, by time zone */
  readonly schedules: ReadonlyMap<string, number>
  /** time zone of the project owner's account; null if there is no owner */
  readonly owner: string | null
}

/** When a check was last pinged. */
export interface LastPing {
  readonly checkId: string
  readonly name: string
  /** time of the last success or failure */
  readonly at: Instant
}

/** Position up to which all checks are known to be enrolled. */
export interface EnrolledUpTo {
  readonly projectId: string
  /** creation time of the last check that was read in the project, in microseconds */
  readonly createdAt: number
  /** when the timing of each of the project's checks was last changed, in microseconds by unique key; null if not read yet */
  readonly timed: ReadonlyMap<string, number> | null
}
