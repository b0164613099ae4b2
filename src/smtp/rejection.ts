/** Negative replies of a mail server (RFC 5321, 4.2.3). The library adds the enhanced status code (RFC 3463). */

import { Refusal, type RefusalKind } from '../domain/errors.ts'
import { stackOf } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'

export class Rejection extends Error {
  override readonly name = 'Rejection'

  /** @param responseCode 4xx: the sender should retry; 5xx: it should not @param message one line, without text from the client */
  constructor(
    readonly responseCode: 421 | 451 | 452 | 550 | 552,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** Reply code for each kind of refusal. Temporary problems get 4xx, so that the sender retries. */
const REPLY: Readonly<Record<RefusalKind, Rejection['responseCode']>> = {
  invalid: 550,
  unauthorized: 550,
  forbidden: 550,
  'not-found': 550,
  conflict: 451,
  'too-large': 552,
  'over-limit': 451,
  busy: 451,
  unavailable: 451,
}

/** Converts any error to a reply. After an internal error, the reply asks the sender to retry. */
export function asRejection(error: unknown, log: Log): Rejection {
  if (error instanceof Rejection) return error
  if (error instanceof Refusal) {
    const { kind, data, reason, message } = error
    if (kind === 'unavailable' && !data.isLogged) log('error', 'mail refused', { reason })
    return new Rejection(REPLY[kind], message)
  }
  log('error', 'unexpected error', { door: 'mail', reason: stackOf(error) })
  return new Rejection(451, 'internal error, it has been logged')
}
