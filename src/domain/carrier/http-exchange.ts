/** An HTTP request to a receiver, and the response. `delivery/http.ts` sends the request. */

interface Answered<Body> {
  readonly kind: 'answered'
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

interface Unreachable {
  readonly kind: 'unreachable'
  /** A sentence for the channel's owner. The only text from the receiver that it may contain is a host name. */
  readonly error: string
  /** true: a retry would fail too, because the URL's scheme is neither http nor https */
  readonly permanent: boolean
}

/**
 * A response with any status, or the reason why there was no response. The body contains at most the first 16 kB, decoded as UTF-8, with
 * U+FFFD in place of invalid bytes.
 */
export type HttpAnswer = Answered<string> | Unreachable

/** Sends a request. Never throws, and never takes longer than its timeout. */
export type HttpSender = (request: Request) => Promise<HttpAnswer>

/** The beginning of a body, limited in size. */
export interface AnsweredBytes {
  readonly bytes: Uint8Array
  /** true: the body reached the size limit, so it may be incomplete */
  readonly isCut: boolean
}

/** Like {@link HttpSender}, but for longer responses. */
export type HttpReader = (request: Request) => Promise<Answered<AnsweredBytes> | Unreachable>
