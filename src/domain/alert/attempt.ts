/** An attempt to send a delivery, as it is kept for people. */
import type { Instant } from '../../lib/time.ts'
import type { AnswerWords } from '../carrier/answer-words.ts'

/** What is known of an attempt besides its result. */
export interface AttemptTrace {
  readonly beganAt: Instant
  /** microseconds */
  readonly duration: number
  /** without secrets; null if the receiver did not answer, or nothing was sent */
  readonly answer: AnswerWords | null
}

/** An attempt that has ended. */
export interface Attempt extends AttemptTrace {
  /** the first is 1 */
  readonly n: number
  /** null: the receiver accepted the message */
  readonly error: string | null
}

/** The newest of each delivery are kept. */
export const ATTEMPTS_KEPT = 20

/** Of these the newest have all that the receiver answered; older ones, and one that succeeded, have its status. */
export const ANSWERS_KEPT = 5

export function statusOf({ status }: AnswerWords): AnswerWords {
  return { status, headers: [], body: '' }
}

/** Of the body of an answer, in UTF-16 units. */
export const ANSWER_BODY_KEPT = 1_000
