/** A flip: the event that a check's stored status changes, with its reason. */

import { type Instant, microsecondsBetween } from '../../lib/time.ts'
import type { StoredStatus, WatchedCheck } from './check.ts'

/** '' for pings and people, 'timeout' for a ping that did not arrive in time, 'fail' for a failure signal. */
export type FlipReason = '' | 'timeout' | 'fail'

export interface Flip {
  readonly checkId: string
  /** number of the event, 1 for the first of the check; lists are sorted by it, not by time */
  readonly n: number
  readonly createdAt: Instant
  readonly oldStatus: StoredStatus
  readonly newStatus: StoredStatus
  readonly reason: FlipReason
}

export interface FlipFilter {
  /** inclusive */
  readonly from?: Instant
  /** exclusive */
  readonly until?: Instant
}

export interface Flipped<Flipping extends WatchedCheck = WatchedCheck> {
  readonly check: Flipping
  readonly flip: Flip
}

/** Changes a check's status and records the change. */
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
 * Whether a flip sends alerts: when a check goes down, and when it recovers. The first success of a new or paused check sends none, and
 * neither does a manual change.
 */
export function sendsAlerts(flip: Pick<Flip, 'oldStatus' | 'newStatus'>): boolean {
  return flip.newStatus === 'down' || (flip.newStatus === 'up' && flip.oldStatus === 'down')
}

/**
 * Returns the seconds for which a check was down before a flip to up. Null for another flip, or if the previous one is unknown.
 * @param previous the flip before `flip`
 */
export function downtimeBefore(flip: Flip, previous: Flip | null): number | null {
  if (flip.newStatus !== 'up' || previous?.newStatus !== 'down') return null
  return Math.max(0, microsecondsBetween(previous.createdAt, flip.createdAt) / 1_000_000)
}
