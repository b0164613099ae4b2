/** An attempt to send a delivery, as recorded for people. */
import type { Instant } from '../../lib/time.ts'
import type { AnswerWords } from '../carrier/answer-words.ts'

/** Details of an attempt besides its result. */
export interface AttemptTrace {
  readonly beganAt: Instant
  /** microseconds */
  readonly duration: number
  /** the answer without secrets; null if the receiver did not answer, or nothing was sent */
  readonly answer: AnswerWords | null
}

/** An attempt that has ended. */
export interface Attempt extends AttemptTrace {
  /** the first is 1 */
  readonly n: number
  /** null: the receiver accepted the message */
  readonly error: string | null
}

/** Number of newest attempts kept per delivery. */
export const ATTEMPTS_KEPT = 20

/** Number of newest attempts whose whole answer is kept; older ones, and successful ones, keep only its status. */
export const ANSWERS_KEPT = 5

export function statusOf({ status }: AnswerWords): AnswerWords {
  return { status, headers: [], body: '' }
}

/** Length of an answer's body that is kept, in UTF-16 units. */
export const ANSWER_BODY_KEPT = 1_000
