/** Decides when a failed delivery is retried, and when retries end. */
import { addSeconds, type Instant, later, microsecondsBetween } from '../../lib/time.ts'
import type { Delivery } from './delivery.ts'

const FIRST_DELAY_SECONDS = 5
const LONGEST_DELAY_SECONDS = 3_600
const GIVE_UP_AFTER_SECONDS = 86_400
/** Number of seconds before the retry deadline at which the last attempt starts. */
const FINAL_ATTEMPT_MARGIN_SECONDS = 60
/**
 * Maximum number of attempts. One day of retries never reaches it, but a delivery that quiet hours hold back every night gets another day
 * of retries each morning.
 */
const MOST_ATTEMPTS = 60

interface Retry {
  /** number of attempts so far, at least 1 */
  readonly attempts: number
  /** when the delivery was created, or when the quiet hours that held it back ended */
  readonly owedAt: Instant
  /** value of the receiver's `Retry-After`, in seconds from now; null: none */
  readonly retryAfterSeconds: number | null
}

/**
 * Returns the number of seconds to wait: 5 seconds, doubled with each attempt up to an hour. The result varies by ±50 %, so that deliveries
 * that failed at the same time are not all retried at the same time. It is never less than the receiver's `Retry-After`.
 * @param fraction a random number, 0 ≤ fraction < 1
 */
export function backOffSeconds(retry: Omit<Retry, 'owedAt'>, fraction: number): number {
  const backOff = Math.min(LONGEST_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** (retry.attempts - 1))
  return Math.max(backOff * (0.5 + fraction), retry.retryAfterSeconds ?? 0)
}

/** Returns when a delivery was created, or when the quiet hours that held it back ended. Retries continue for a day from then. */
export function owedAt({ createdAt, heldUntil }: Pick<Delivery, 'createdAt' | 'heldUntil'>): Instant {
  return later(createdAt, heldUntil)
}

/** Returns the time after which a failed delivery is no longer retried. */
export function givesUpAt(owedAt: Instant): Instant {
  return addSeconds(owedAt, GIVE_UP_AFTER_SECONDS)
}

/** The time of the next attempt. If there will be none, the reason, which is appended to the error. */
export type NextAttempt = { readonly at: Instant } | { readonly at: null; readonly reason: string }

/**
 * Calculates the time of the next attempt: {@link backOffSeconds} from now, or earlier if there would otherwise be no time for a last
 * attempt within the day. Retries end a day after the delivery was created or its quiet hours ended, or after {@link MOST_ATTEMPTS}
 * attempts.
 * @param fraction a random number, 0 ≤ fraction < 1
 */
export function nextAttempt(retry: Retry, now: Instant, fraction: number): NextAttempt {
  const wanted = backOffSeconds(retry, fraction)
  const left = microsecondsBetween(now, givesUpAt(retry.owedAt)) / 1_000_000
  if (left <= FINAL_ATTEMPT_MARGIN_SECONDS) return { at: null, reason: 'failed for a day' }
  if (retry.attempts >= MOST_ATTEMPTS) return { at: null, reason: `failed ${retry.attempts} times` }
  return { at: now.add({ milliseconds: Math.round(Math.min(wanted, left - FINAL_ATTEMPT_MARGIN_SECONDS) * 1000) }) }
}
