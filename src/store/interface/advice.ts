/** Advice about the watching of checks, and the days of their runs. */
import type { Advice, AdviceKind } from '../../domain/advice/advice.ts'
import type { AdviceState } from '../../domain/advice/stored-advice.ts'
import type { DayRuns } from '../../domain/run/day-runs.ts'
import type { Instant } from '../../lib/time.ts'

/** Stored advice of a check. */
export interface StoredAdvice extends AdviceState {
  readonly checkId: string
  readonly projectId: string
  /** when to look at the check next */
  readonly lookAfter: Instant
  /** `nPings` of the check at the last look */
  readonly lookedN: number
  /** of the first advice that nobody has put off, at the last look; null: there is none */
  readonly kind: AdviceKind | null
  readonly variant: string | null
  /** since when that one is given */
  readonly since: Instant | null
}

/** The result of a look. */
export interface Look {
  /** as it was claimed */
  readonly claimed: StoredAdvice
  /** `nPings` of the check when it was read */
  readonly lookedN: number
  readonly advice: readonly Advice[]
  /** days of the runs that came since the last look */
  readonly days: readonly DayRuns[]
  /** days before this one are forgotten */
  readonly oldestDay: string
  readonly lookAfter: Instant
}

/** The zones that a project knows. */
export interface ProjectZones {
  /** by zone, how many checks have a schedule in it */
  readonly schedules: ReadonlyMap<string, number>
  /** of the owner's account; null without an owner */
  readonly owner: string | null
}

/** The time at which a check was pinged last. */
export interface LastPing {
  readonly checkId: string
  readonly name: string
  /** the last success or failure */
  readonly at: Instant
}

/** Place up to which it is known that checks are looked at. */
export interface EnrolledUpTo {
  readonly projectId: string
  /** microseconds: of the last check of the project that was read */
  readonly createdAt: number
  /** when checks of the project were last timed otherwise, in microseconds, by their unique keys; null: not read yet */
  readonly timed: ReadonlyMap<string, number> | null
}
