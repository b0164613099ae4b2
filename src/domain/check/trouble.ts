/** Why a check is down. */
import type { Instant } from '../../lib/time.ts'
import type { FlipReason } from './flip.ts'

export interface Trouble {
  /** when it went down: the time of the flip, or the deadline if the flip is not written yet */
  readonly since: Instant
  readonly reason: FlipReason
  /** the ping that reported the last failure; null when the newest success or failure was none */
  readonly failure: Failure | null
}

export interface Failure {
  readonly n: number
  readonly receivedAt: Instant
  readonly exitStatus: number | null
  /** the last line of the body that is not empty, at most 80 characters; null without one */
  readonly lastLine: string | null
}
