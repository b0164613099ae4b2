/** A request to an outside receiver and its answer; `delivery/http.ts` sends it. */

/** An answer of any status, or the reason why there is none. */
export type HttpAnswer =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly headers: Headers
      /** At most the first 16 kB, decoded as UTF-8; invalid bytes become U+FFFD. */
      readonly body: string
    }
  | {
      readonly kind: 'unreachable'
      /** A sentence for the owner of the channel; of the receiver's own words it quotes a host at most. */
      readonly error: string
      /** True when a retry can't help: the request's own scheme is neither http nor https. */
      readonly permanent: boolean
    }

/** Sends a request. Never throws, and never takes longer than its time-out. */
export type HttpSender = (request: Request) => Promise<HttpAnswer>
