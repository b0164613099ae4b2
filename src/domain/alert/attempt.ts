/** Attempts to send a delivery, recorded so that people can read them. */
import type { Instant } from '../../lib/time.ts'
import type { AnswerWords } from '../carrier/answer-words.ts'

/** Details of an attempt, besides its result. */
export interface AttemptTrace {
  readonly beganAt: Instant
  /** microseconds */
  readonly duration: number
  /** the receiver's answer without secrets; null if there was no answer, or nothing was sent */
  readonly answer: AnswerWords | null
}

/** An attempt that has finished. */
export interface Attempt extends AttemptTrace {
  /** number of the attempt; the first is 1 */
  readonly n: number
  /** why the attempt failed; null: the receiver accepted the message */
  readonly error: string | null
}

/** Number of attempts that are stored per delivery, the newest ones. */
export const ATTEMPTS_KEPT = 20

/** Number of attempts whose complete answer is stored, the newest ones. Older and successful attempts have only the status. */
export const ANSWERS_KEPT = 5

export function statusOf({ status }: AnswerWords): AnswerWords {
  return { status, headers: [], body: '' }
}

/** Maximum length of the stored body of an answer, in UTF-16 units. */
export const ANSWER_BODY_KEPT = 1_000
