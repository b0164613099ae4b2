/** Flips that are due, and checks that have recovered. */
import type { Flip } from '../../domain/check/flip.ts'
import type { Instant } from '../../lib/time.ts'

/** A check that has recovered. */
export interface RecoveredCheck {
  readonly checkId: string
  /** number of the recovery flip */
  readonly n: number
  readonly at: Instant
  /** when the check went down; null if that flip was removed */
  readonly downSince: Instant | null
}

export interface Overdue {
  /** the written flips, each together with its deliveries */
  readonly flips: readonly Flip[]
  readonly owed: boolean
  /** time when the loop should run again; null if no check has a deadline */
  readonly nextLookAt: Instant | null
}

/**
 * How to handle checks that another write has locked, for example for a ping, or because another instance is judging them: skip them, or
 * wait.
 */
export type LockedChecks = 'skip' | 'wait'
