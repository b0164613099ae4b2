/** A flip: one change of a check's stored status, and why it happened. */
import type { StoredStatus, WatchedCheck } from './check.ts'
import type { Instant } from './time.ts'

/** '' for pings and people, 'timeout' for silence, 'fail' for a failure signal. */
export type FlipReason = '' | 'timeout' | 'fail'

export interface Flip {
  readonly checkId: string
  /** 1 for the check's first flip; lists sort by it, not by time */
  readonly n: number
  readonly createdAt: Instant
  readonly oldStatus: StoredStatus
  readonly newStatus: StoredStatus
  readonly reason: FlipReason
}

export interface FlipFilter {
  /** not before */
  readonly from?: Instant
  /** before */
  readonly until?: Instant
}

export interface Flipped<Flipping extends WatchedCheck = WatchedCheck> {
  readonly check: Flipping
  readonly flip: Flip
}

/** Moves a check to another status and writes down that it did. */
export function flipTo<Flipping extends WatchedCheck>(
  check: Flipping,
  newStatus: StoredStatus,
  reason: FlipReason,
  at: Instant,
): Flipped<Flipping> {
  const n = check.nFlips + 1
  return {
    check: { ...check, status: newStatus, nFlips: n },
    flip: { checkId: check.id, n, createdAt: at, oldStatus: check.status, newStatus, reason },
  }
}

/**
 * True for a flip that people are told about: every way down, and the way up from down. The first success of a new or
 * paused check is no news, and neither is what somebody did by hand.
 */
export function isNews(flip: Pick<Flip, 'oldStatus' | 'newStatus'>): boolean {
  return flip.newStatus === 'down' || (flip.newStatus === 'up' && flip.oldStatus === 'down')
}
