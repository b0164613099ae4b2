/** When a delivery that failed is tried again, and when it is given up. */
import { addSeconds, type Instant, isBefore } from './time.ts'

const FIRST_DELAY_SECONDS = 5
const LONGEST_DELAY_SECONDS = 3_600
const GIVE_UP_AFTER_SECONDS = 86_400

export interface Retry {
  /** attempts made so far, at least 1 */
  readonly attempts: number
  /** when the delivery became owed */
  readonly createdAt: Instant
  /** what the receiver asked for with `Retry-After`, in seconds from now */
  readonly retryAfterSeconds: number | null
}

/**
 * 5 seconds doubled with each attempt up to an hour, spread by ±50 % so that what failed together does not come back
 * together; never before the receiver's `Retry-After`.
 * @param fraction a random number, 0 ≤ fraction < 1
 * @returns null when the next try would fall beyond a day after the delivery became owed
 */
export function nextAttemptAt(retry: Retry, now: Instant, fraction: number): Instant | null {
  const backOff = Math.min(LONGEST_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** (retry.attempts - 1))
  const spread = backOff * (0.5 + fraction)
  const delay = Math.max(spread, retry.retryAfterSeconds ?? 0)
  const next = now.add({ milliseconds: Math.round(delay * 1000) })
  return isBefore(next, addSeconds(retry.createdAt, GIVE_UP_AFTER_SECONDS)) ? next : null
}
