/** Attempts to send a delivery. They are recorded so that users can review them. */
import type { Instant } from '../../lib/time.ts'
import type { AnswerWords } from '../carrier/answer-words.ts'

/** Details of an attempt, excluding its result. */
export interface AttemptTrace {
  readonly beganAt: Instant
  /** duration in microseconds */
  readonly duration: number
  /** receiver's response without secrets; null if nothing was sent or there was no response */
  readonly answer: AnswerWords | null
}

/** An attempt that has finished. */
export interface Attempt extends AttemptTrace {
  /** attempt number, starting at 1 */
  readonly n: number
  /** reason why the attempt failed; null: the receiver accepted the message */
  readonly error: string | null
}

/** Number of attempts stored per delivery. Older ones are deleted. */
export const ATTEMPTS_KEPT = 20

/** Number of newest attempts that are stored with the complete response. For successful and older attempts, only the status is stored. */
export const ANSWERS_KEPT = 5

export function statusOf({ status }: AnswerWords): AnswerWords {
  return { status, headers: [], body: '' }
}

/** Maximum stored length of a response body, in UTF-16 code units. */
export const ANSWER_BODY_KEPT = 1_000
