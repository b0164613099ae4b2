/** A request to an outside receiver and its answer; `delivery/http.ts` sends it. */

interface Answered<Body> {
  readonly kind: 'answered'
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

interface Unreachable {
  readonly kind: 'unreachable'
  /** A sentence for the owner of the channel. It quotes at most a host from the receiver's own words. */
  readonly error: string
  /** True when a retry can't help: the request's own scheme is neither http nor https. */
  readonly permanent: boolean
}

/**
 * An answer of any status, or the reason why there is none. The body has at most its first 16 kB, decoded as UTF-8; invalid bytes become
 * U+FFFD.
 */
export type HttpAnswer = Answered<string> | Unreachable

/** Sends a request. Never throws, and never takes longer than its time-out. */
export type HttpSender = (request: Request) => Promise<HttpAnswer>

/** The first bytes of a body, up to a limit. */
export interface AnsweredBytes {
  readonly bytes: Uint8Array
  /** true: the limit was reached, and there may be more */
  readonly isCut: boolean
}

/** Like {@link HttpSender}, for answers that are longer than a receiver's. */
export type HttpReader = (request: Request) => Promise<Answered<AnsweredBytes> | Unreachable>
