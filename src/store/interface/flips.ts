/** Flips that are due, and checks that came back. */
import type { Flip } from '../../domain/check/flip.ts'
import type { Instant } from '../../lib/time.ts'

/** A check that recovered. */
export interface RecoveredCheck {
  readonly checkId: string
  /** of the flip */
  readonly n: number
  readonly at: Instant
  /** null if that flip was removed */
  readonly downSince: Instant | null
}

export interface Overdue {
  /** the flips written, each together with its deliveries */
  readonly flips: readonly Flip[]
  readonly owed: boolean
  /** when the loop should look again; null if no check has a deadline */
  readonly nextLookAt: Instant | null
}

/** What becomes of a check that another write has locked: an instance that judges it, or a ping. */
export type LockedChecks = 'skip' | 'wait'
