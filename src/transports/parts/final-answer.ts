/** Judges receivers' answers, some of which are final. */

import type { HttpAnswer } from '../../domain/carrier/http-exchange.ts'
import { redact } from '../../domain/redaction.ts'
import { oneLine } from '../../lib/text/text.ts'
import type { Instant } from '../../lib/time.ts'
import { type Conclusion, judgeByStatus } from '../transport.ts'

type Answered = Extract<HttpAnswer, { kind: 'answered' }>

/** Returns a function that judges like {@link judgeByStatus}, except that an answer for which `isFinal` is true disables the channel. */
export function disableWhen(isFinal: (answer: Answered) => boolean): (answer: HttpAnswer, now: Instant) => Conclusion {
  return (answer, now) => {
    const conclusion = judgeByStatus(answer, now)
    if (conclusion.kind !== 'retry' || answer.kind !== 'answered' || !isFinal(answer)) return conclusion
    return { kind: 'disable', error: conclusion.error }
  }
}

/** Returns the JSON object in an answer; an empty object if the answer contains anything else. */
export function answeredObject({ body }: Answered): Readonly<Record<string, unknown>> {
  try {
    return objectIn(JSON.parse(body))
  } catch {
    return {}
  }
}

/** Returns the members of an object. Returns no members for any other value. */
export function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** Adds the receiver's message on one line. Redacts the message, because it may repeat the request's secrets. */
export function withMessage(error: string, message: unknown): string {
  const said = typeof message === 'string' ? redact(oneLine(message)) : ''
  return said === '' ? error : `${error} with a message: "${said}"`
}
