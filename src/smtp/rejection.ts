/** What a mail server says no with (RFC 5321, 4.2.3); the library puts the enhanced code of RFC 3463 before the words. */
import { Refusal } from '../domain/errors.ts'
import type { Log } from '../domain/log.ts'

export class Rejection extends Error {
  override readonly name = 'Rejection'

  /**
   * @param responseCode 4xx: later may be better; 5xx: never
   * @param message one line, which quotes nothing of what the client has sent
   */
  constructor(
    readonly responseCode: 421 | 451 | 452 | 550 | 552,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** Whatever went wrong, as an answer; a mistake of ours is no reason for a sender to give up. */
export function asRejection(error: unknown, log: Log): Rejection {
  if (error instanceof Rejection) return error
  if (error instanceof Refusal) {
    if (!error.isLogged) log('error', 'mail refused', { reason: error.reason })
    return new Rejection(451, error.message)
  }
  log('error', 'unexpected error', { door: 'mail', reason: error instanceof Error ? error.stack : String(error) })
  return new Rejection(451, 'internal error, it has been logged')
}
