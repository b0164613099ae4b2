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
  /** kind of the first advice that nobody had hidden, at the last look; null: there is none */
  readonly kind: AdviceKind | null
  readonly variant: string | null
  /** time since which that advice is given */
  readonly since: Instant | null
}

/** The result of a look. */
export interface Look {
  /** the advice as it was claimed */
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

/** The zones of a project. */
export interface ProjectZones {
  /** number of checks with a schedule in each zone */
  readonly schedules: ReadonlyMap<string, number>
  /** zone of the owner's account; null without an owner */
  readonly owner: string | null
}

/** The time of the last ping of a check. */
export interface LastPing {
  readonly checkId: string
  readonly name: string
  /** time of the last success or failure */
  readonly at: Instant
}

/** The place up to which checks are known to be enrolled. */
export interface EnrolledUpTo {
  readonly projectId: string
  /** microseconds: creation of the last check of the project that was read */
  readonly createdAt: number
  /** when timings of the project's checks were last changed, in microseconds, by their unique keys; null: not read yet */
  readonly timed: ReadonlyMap<string, number> | null
}
