/** Judging receivers of which some answers are known to stay the same whatever is sent. */
import { withoutSecrets } from '../domain/discretion.ts'
import type { HttpAnswer } from '../domain/http-exchange.ts'
import { oneLine } from '../domain/text.ts'
import type { Instant } from '../domain/time.ts'
import { judgeByStatus, type Verdict } from './transport.ts'

export type Answered = Extract<HttpAnswer, { kind: 'answered' }>

/** As most receivers mean it, but an answer for which `isFinal` holds stops the use of the channel. */
export function disableWhen(isFinal: (answer: Answered) => boolean): (answer: HttpAnswer, now: Instant) => Verdict {
  return (answer, now) => {
    const verdict = judgeByStatus(answer, now)
    if (verdict.kind !== 'retry' || answer.kind !== 'answered' || !isFinal(answer)) return verdict
    return { kind: 'disable', error: verdict.error }
  }
}

/** The JSON object that an answer carries; empty when it carries something else. */
export function answeredObject({ body }: Answered): Readonly<Record<string, unknown>> {
  try {
    return objectIn(JSON.parse(body))
  } catch {
    return {}
  }
}

/** The fields of a value that may be anything; none when it is no object. */
export function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** With what the receiver said about it on one line; should it have repeated the request's secrets, without. */
export function withMessage(error: string, message: unknown): string {
  const said = typeof message === 'string' ? withoutSecrets(oneLine(message)) : ''
  return said === '' ? error : `${error} with a message: "${said}"`
}
