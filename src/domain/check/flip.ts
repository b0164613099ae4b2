/** A flip: a change of a check's stored status, with its reason. */

import { type Instant, microsecondsBetween } from '../../lib/time.ts'
import type { StoredStatus, WatchedCheck } from './check.ts'

/** 'timeout' if a ping did not arrive in time, 'fail' for a failure signal, '' for any other ping or a user's action. */
export type FlipReason = '' | 'timeout' | 'fail'

export interface Flip {
  readonly checkId: string
  /** number of the event, starting at 1 for each check. Lists are sorted by this number rather than by time */
  readonly n: number
  readonly createdAt: Instant
  readonly oldStatus: StoredStatus
  readonly newStatus: StoredStatus
  readonly reason: FlipReason
}

export interface FlipFilter {
  /** only flips at or after this time */
  readonly from?: Instant
  /** only flips before this time */
  readonly until?: Instant
}

export interface Flipped<Flipping extends WatchedCheck = WatchedCheck> {
  readonly check: Flipping
  readonly flip: Flip
}

/** Changes a check's status and records a flip. */
export function flipTo<Flipping extends WatchedCheck>(
  check: Flipping,
  newStatus: StoredStatus,
  reason: FlipReason,
  at: Instant,
): Flipped<Flipping> {
  const n = check.nEvents + 1
  return {
    check: { ...check, status: newStatus, nEvents: n },
    flip: { checkId: check.id, n, createdAt: at, oldStatus: check.status, newStatus, reason },
  }
}

/**
 * Whether a flip triggers alerts, because the check went down or recovered. The first success of a new or paused check does not trigger
 * alerts, and neither does a change made by a user.
 */
export function sendsAlerts(flip: Pick<Flip, 'oldStatus' | 'newStatus'>): boolean {
  return flip.newStatus === 'down' || (flip.newStatus === 'up' && flip.oldStatus === 'down')
}

/**
 * Returns how long a check was down before it recovered, in seconds. Null if the flip is not a recovery, or if the previous flip is
 * unknown.
 * @param previous the flip before `flip`
 */
export function downtimeBefore(flip: Flip, previous: Flip | null): number | null {
  if (flip.newStatus !== 'up' || previous?.newStatus !== 'down') return null
  return Math.max(0, microsecondsBetween(previous.createdAt, flip.createdAt) / 1_000_000)
}
