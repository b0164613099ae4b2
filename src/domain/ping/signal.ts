/** A signal: a message sent to a check by HTTP or email. The check's settings determine what it means. */
import { storable } from '../../lib/text/text.ts'
import type { Instant } from '../../lib/time.ts'
import type { PingSilence } from '../silence/ping-silence.ts'
import type { GivenTiming } from './given-timing.ts'

/** Maximum size of an HTTP ping's body, in bytes: 2.5 MB, as in Healthchecks. */
export const PING_BODY_BYTES_MAX = 2_621_440

export type Action = 'success' | 'start' | 'fail' | 'log'

/** The kind of a ping. `ign`: the ping was received and counted but had no other effect. */
export type PingKind = Action | 'ign'

export interface Signal {
  readonly action: Action
  /** exit status in the ping URL, 0 to 255; null if there is none */
  readonly exitStatus: number | null
  /**
   * time at which a late ping's event happened, according to the sender; always before the time of arrival; null if the ping is not late
   */
  readonly occurredAt: Instant | null
  /** run ID, a lower-case UUID */
  readonly rid: string | null
  readonly scheme: string
  readonly method: string
  /** the client's user agent, see {@link userAgent} */
  readonly ua: string
  readonly remoteAddr: string | null
  /** body, truncated to the limit if there is one; for a long email, its beginning; null if empty */
  readonly body: Uint8Array | null
  /** how to decode an HTTP body, see `readingType`; null for UTF-8, for an email, or if there is no body */
  readonly contentType: string | null
  /**
   * beginning of an HTTP body as sent by the client, which is searched for keywords: at least `SEARCHED_BYTES`, or the complete body if it
   * is shorter; null for an email, or if the body is empty
   */
  readonly searched: Uint8Array | null
  /** an email's text, which is searched for keywords; `unread` if the check had no filter when the email arrived; null for an HTTP ping */
  readonly mail: MailText | 'unread' | null
  /** silence requested by the ping URL; `end` ends such a silence; omitted for most pings */
  readonly silence?: PingSilence | 'end'
}

export const UA_LIMIT = 200

/** Returns a client's user agent in the form in which it is stored. */
export function userAgent(text: string): string {
  return storable(text.slice(0, UA_LIMIT))
}

/** Maximum length of a Content-Type. A multipart boundary has at most 70 characters (RFC 2046, 5.1.1). */
export const CONTENT_TYPE_LIMIT = 200

/** The decoded text of an email, without markup and attachments. */
export interface MailText {
  readonly subject: string
  readonly body: string
}

/** The target of a ping URL or email address: either a check's UUID, or a project's ping key and a check's slug. */
export type SignalTarget =
  | { readonly kind: 'id'; readonly id: string }
  | {
      readonly kind: 'slug'
      readonly pingKey: string
      readonly slug: string
      readonly create: boolean
      /** timing for the check that the ping creates; omitted for the default timing */
      readonly timing?: GivenTiming | 'unusable'
    }
