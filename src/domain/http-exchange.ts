/** The words in which a request to an outside receiver and its answer are told; carrying it out is `delivery/http.ts`. */

/** What became of a request: an answer of whatever status, or a reason why there is none. */
export type HttpAnswer =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly headers: Headers
      /** At most the first 16 kB, read as UTF-8; what is not UTF-8 becomes U+FFFD. */
      readonly body: string
    }
  | {
      readonly kind: 'unreachable'
      /** A sentence fit to be shown to the owner of the channel; of the receiver's words it holds a host at most. */
      readonly error: string
      /** True when trying again cannot help: the request's own scheme is neither http nor https. */
      readonly permanent: boolean
    }

/** Carries out a request. Never throws and never takes longer than the time-out it was made with. */
export type HttpSender = (request: Request) => Promise<HttpAnswer>
