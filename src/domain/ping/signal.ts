/** A signal: what arrives for a check by HTTP or email, before the check's settings give it a meaning. */
import { storable } from '../../lib/text/text.ts'
import type { Instant } from '../../lib/time.ts'
import type { PingSilence } from '../silence/ping-silence.ts'
import type { GivenTiming } from './given-timing.ts'

/** The most bytes of the body of an HTTP ping: 2.5 MB, as in Healthchecks. */
export const PING_BODY_BYTES_MAX = 2_621_440

export type Action = 'success' | 'start' | 'fail' | 'log'

/** The kind of a ping; 'ign' was received and counted but has no effect. */
export type PingKind = Action | 'ign'

export interface Signal {
  readonly action: Action
  /** 0…255 from `/ping/…/<exit status>`, null elsewhere */
  readonly exitStatus: number | null
  /** when it happened, if the sender says that it comes late: earlier than it arrives; null for one that comes when it happens */
  readonly occurredAt: Instant | null
  /** run id, lower-case UUID */
  readonly rid: string | null
  readonly scheme: string
  readonly method: string
  /** see {@link userAgent} */
  readonly ua: string
  readonly remoteAddr: string | null
  /** already cut to the body limit, if one applies; of a long email the beginning; null when empty */
  readonly body: Uint8Array | null
  /** how an HTTP body is to be read, see `readingType`; null for UTF-8, without a body, and for an email */
  readonly contentType: string | null
  /**
   * the first bytes of an HTTP body as sent, at least `SEARCHED_BYTES` if it has so many, to be searched for keywords; null
   * for an empty body and for an email
   */
  readonly searched: Uint8Array | null
  /** an email's text, to be searched for keywords; `unread` when the check had no filter on arrival; null for HTTP */
  readonly mail: MailText | 'unread' | null
  /** that its URL asks for; `end`: of the one that was asked for before; omitted by most */
  readonly silence?: PingSilence | 'end'
}

export const UA_LIMIT = 200

/** As much of a client's user agent as is kept. */
export function userAgent(text: string): string {
  return storable(text.slice(0, UA_LIMIT))
}

/** A multipart boundary has at most 70 characters (RFC 2046, 5.1.1). */
export const CONTENT_TYPE_LIMIT = 200

/** An email's text: decoded, without markup and attachments. */
export interface MailText {
  readonly subject: string
  readonly body: string
}

/** A ping URL or address identifies the check by its UUID, or by the project's ping key and the check's slug. */
export type SignalTarget =
  | { readonly kind: 'id'; readonly id: string }
  | {
      readonly kind: 'slug'
      readonly pingKey: string
      readonly slug: string
      readonly create: boolean
      /** of a check that is created; omitted for that of a new check */
      readonly timing?: GivenTiming | 'unusable'
    }
