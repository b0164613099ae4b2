/** Flips that are due, and checks that recovered. */
import type { Flip } from '../../domain/check/flip.ts'
import type { Instant } from '../../lib/time.ts'

/** A check that recovered. */
export interface RecoveredCheck {
  readonly checkId: string
  /** number of the flip */
  readonly n: number
  readonly at: Instant
  /** null if that flip was removed */
  readonly downSince: Instant | null
}

export interface Overdue {
  /** the flips written, each together with its deliveries */
  readonly flips: readonly Flip[]
  readonly owed: boolean
  /** when the loop should run again; null if no check has a deadline */
  readonly nextLookAt: Instant | null
}

/** Whether to wait for checks that are locked by another write (a ping, or an instance that judges them), or to skip them. */
export type LockedChecks = 'skip' | 'wait'
