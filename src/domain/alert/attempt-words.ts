/** Text about a delivery's attempts, for pages and the command line. */
import type { Attempt } from './attempt.ts'
import type { DeliveryEntry } from './delivery.ts'

interface AttemptWords {
  /** HTTP status of the response; if there was no response, the error or `Accepted` */
  readonly result: string
  /** the error, unless {@link result} already contains it; null: none */
  readonly why: string | null
  /** duration, such as `64 ms` or `2.1 s` */
  readonly took: string
}

export function attemptWords({ duration, error, answer }: Attempt): AttemptWords {
  const took = tookWords(duration)
  return answer === null
    ? { result: error ?? 'Accepted', why: null, took }
    : { result: answer.status, why: error, took }
}

/** @param duration microseconds */
function tookWords(duration: number): string {
  return duration < 1_000_000 ? `${Math.round(duration / 1_000)} ms` : `${(duration / 1_000_000).toFixed(1)} s`
}

type Ended = Pick<DeliveryEntry, 'delivery' | 'error'>

/**
 * Returns the number of finished attempts that are no longer stored.
 * @param attempts stored attempts, newest first
 */
export function attemptsMissing({ delivery }: Ended, attempts: readonly Attempt[]): number {
  const isUnderWay = delivery.state === 'pending' && attempts[0]?.n !== delivery.attempts
  return delivery.attempts - attempts.length - (isUnderWay ? 1 : 0)
}

/**
 * Returns an error that was recorded after a delivery's last attempt. This happens when a service reports a failure later, or when a user
 * cancels a delivery between two attempts.
 * @param attempts newest first
 */
export function laterError({ delivery, error }: Ended, attempts: readonly Attempt[]): string | null {
  return delivery.state === 'failed' && error !== attempts[0]?.error ? error : null
}
