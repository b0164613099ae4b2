/** The times at which a failed delivery is retried, and at which it fails for good. */
import { addSeconds, type Instant, later, microsecondsBetween } from '../../lib/time.ts'
import type { Delivery } from './delivery.ts'

const FIRST_DELAY_SECONDS = 5
const LONGEST_DELAY_SECONDS = 3_600
const GIVE_UP_AFTER_SECONDS = 86_400
/** The last attempt starts this long before the day is over. */
const FINAL_ATTEMPT_MARGIN_SECONDS = 60
/** More attempts than a day has. With quiet hours every night, the day begins anew each morning. */
const MOST_ATTEMPTS = 60

interface Retry {
  /** attempts made so far, at least 1 */
  readonly attempts: number
  /** creation of the delivery, or end of the quiet hours for which it waited */
  readonly owedAt: Instant
  /** the receiver's `Retry-After`, in seconds from now */
  readonly retryAfterSeconds: number | null
}

/**
 * Returns the seconds to wait: 5 seconds, doubled with each attempt up to an hour, and spread by ±50 % so that deliveries that failed
 * together are not retried together. Never less than the receiver's `Retry-After`.
 * @param fraction a random number, 0 ≤ fraction < 1
 */
export function backOffSeconds(retry: Omit<Retry, 'owedAt'>, fraction: number): number {
  const backOff = Math.min(LONGEST_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** (retry.attempts - 1))
  return Math.max(backOff * (0.5 + fraction), retry.retryAfterSeconds ?? 0)
}

/** Returns the creation time of a delivery, or the end of the quiet hours for which it has waited. Its day begins then. */
export function owedAt({ createdAt, heldUntil }: Pick<Delivery, 'createdAt' | 'heldUntil'>): Instant {
  return later(createdAt, heldUntil)
}

/** Returns the time from which a failed delivery is not retried. */
export function givesUpAt(owedAt: Instant): Instant {
  return addSeconds(owedAt, GIVE_UP_AFTER_SECONDS)
}

/** The time of the next attempt; the reason why there is none, in words that follow the error. */
export type NextAttempt = { readonly at: Instant } | { readonly at: null; readonly reason: string }

/**
 * Returns the time after {@link backOffSeconds}, but leaves time for one last attempt within the day. The last attempt is that of a day
 * after the delivery was created, or its quiet hours ended, and at most the {@link MOST_ATTEMPTS}th.
 * @param fraction a random number, 0 ≤ fraction < 1
 */
export function nextAttempt(retry: Retry, now: Instant, fraction: number): NextAttempt {
  const wanted = backOffSeconds(retry, fraction)
  const left = microsecondsBetween(now, givesUpAt(retry.owedAt)) / 1_000_000
  if (left <= FINAL_ATTEMPT_MARGIN_SECONDS) return { at: null, reason: 'failed for a day' }
  if (retry.attempts >= MOST_ATTEMPTS) return { at: null, reason: `failed ${retry.attempts} times` }
  return { at: now.add({ milliseconds: Math.round(Math.min(wanted, left - FINAL_ATTEMPT_MARGIN_SECONDS) * 1000) }) }
}
