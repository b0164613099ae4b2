/** Advice about the monitoring of checks, and the days of their runs. */
import type { Advice, AdviceKind } from '../../domain/advice/advice.ts'
import type { AdviceState } from '../../domain/advice/stored-advice.ts'
import type { DayRuns } from '../../domain/run/day-runs.ts'
import type { Instant } from '../../lib/time.ts'

/** Stored advice of a check. */
export interface StoredAdvice extends AdviceState {
  readonly checkId: string
  readonly projectId: string
  /** when to examine the check next */
  readonly lookAfter: Instant
  /** `nPings` of the check when it was last examined */
  readonly lookedN: number
  /** kind of the first advice that nobody had hidden at the last look; null if there is none */
  readonly kind: AdviceKind | null
  readonly variant: string | null
  /** time since which pages have been showing that advice */
  readonly since: Instant | null
}

/** Result of a look. */
export interface Look {
  /** the advice when it was claimed */
  readonly claimed: StoredAdvice
  /** `nPings` of the check when it was read */
  readonly lookedN: number
  readonly advice: readonly Advice[]
  /** days of the runs since the last look */
  readonly days: readonly DayRuns[]
  /** days before this one are deleted */
  readonly oldestDay: string
  readonly lookAfter: Instant
}

/** Time zones of a project. */
export interface ProjectZones {
  /** number of checks with a schedule, by zone */
  readonly schedules: ReadonlyMap<string, number>
  /** time zone of the owner's account; null if there is no owner */
  readonly owner: string | null
}

/** Time of the last ping of a check. */
export interface LastPing {
  readonly checkId: string
  readonly name: string
  /** time of the last success or failure */
  readonly at: Instant
}

/** Position up to which all checks are known to be enrolled. */
export interface EnrolledUpTo {
  readonly projectId: string
  /** creation time of the project's last check that was read, in microseconds */
  readonly createdAt: number
  /** times of the last change of timing of the project's checks, in microseconds by unique key; null if not read yet */
  readonly timed: ReadonlyMap<string, number> | null
}
