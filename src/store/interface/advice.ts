/** Advice about the watching of checks, and the days of their runs. */
import type { Advice, AdviceKind } from '../../domain/advice/advice.ts'
import type { AdviceState } from '../../domain/advice/stored-advice.ts'
import type { DayRuns } from '../../domain/run/day-runs.ts'
import type { Instant } from '../../lib/time.ts'

/** What is stored of the advice of a check. */
export interface StoredAdvice extends AdviceState {
  readonly checkId: string
  readonly projectId: string
  /** `nPings` of the check at the last look */
  readonly lookedN: number
  /** of the first advice that nobody has put off, at the last look; null: there is none */
  readonly kind: AdviceKind | null
  readonly variant: string | null
  /** since when that one is given */
  readonly since: Instant | null
}

/** A check at which the caller looks next. */
export interface ClaimedLook extends StoredAdvice {
  /** until then nobody else looks */
  readonly leaseEndsAt: Instant
}

/** The result of a look. */
export interface Look {
  readonly claimed: ClaimedLook
  /** `nPings` of the check when it was read */
  readonly lookedN: number
  readonly advice: readonly Advice[]
  /** days of the runs that came since the last look */
  readonly days: readonly DayRuns[]
  /** days before this one are forgotten */
  readonly oldestDay: string
  readonly lookAfter: Instant
}
