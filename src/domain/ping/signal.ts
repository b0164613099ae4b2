/** A signal: a message to a check by HTTP or email, before the check's settings decide what it means. */
import { storable } from '../../lib/text/text.ts'
import type { Instant } from '../../lib/time.ts'
import type { PingSilence } from '../silence/ping-silence.ts'
import type { GivenTiming } from './given-timing.ts'

/** Maximum size of an HTTP ping's body, in bytes: 2.5 MB, as in Healthchecks. */
export const PING_BODY_BYTES_MAX = 2_621_440

export type Action = 'success' | 'start' | 'fail' | 'log'

/** The kind of a ping. `ign`: the ping was received and counted, but has no effect. */
export type PingKind = Action | 'ign'

export interface Signal {
  readonly action: Action
  /** exit status from 0 to 255 in the ping URL; null if there is none */
  readonly exitStatus: number | null
  /** time at which the event of a late ping happened, according to its sender, always before it arrived; null if the ping is not late */
  readonly occurredAt: Instant | null
  /** run id, a lower-case UUID */
  readonly rid: string | null
  readonly scheme: string
  readonly method: string
  /** user agent, see {@link userAgent} */
  readonly ua: string
  readonly remoteAddr: string | null
  /** body, already shortened to the limit if there is one; for a long email, its beginning; null if empty */
  readonly body: Uint8Array | null
  /** how to decode an HTTP body, see `readingType`; null for UTF-8, if there is no body, and for an email */
  readonly contentType: string | null
  /**
   * the first bytes of an HTTP body as the client sent it, in which keywords are searched: at least `SEARCHED_BYTES`, or all of a shorter
   * body; null if the body is empty, and for an email
   */
  readonly searched: Uint8Array | null
  /** text of an email, in which keywords are searched; `unread` if the check had no filter when the email arrived; null for HTTP */
  readonly mail: MailText | 'unread' | null
  /** the silence that the ping URL requests; `end`: ends such a silence; omitted for most pings */
  readonly silence?: PingSilence | 'end'
}

export const UA_LIMIT = 200

/** Returns a client's user agent as it is stored. */
export function userAgent(text: string): string {
  return storable(text.slice(0, UA_LIMIT))
}

/** Maximum length of a Content-Type. A multipart boundary has at most 70 characters (RFC 2046, 5.1.1). */
export const CONTENT_TYPE_LIMIT = 200

/** The text of an email: decoded, without markup and attachments. */
export interface MailText {
  readonly subject: string
  readonly body: string
}

/** The target of a ping URL or address: the UUID of a check, or a project's ping key and the slug of a check. */
export type SignalTarget =
  | { readonly kind: 'id'; readonly id: string }
  | {
      readonly kind: 'slug'
      readonly pingKey: string
      readonly slug: string
      readonly create: boolean
      /** timing for the check that the ping creates; omitted for the default */
      readonly timing?: GivenTiming | 'unusable'
    }
