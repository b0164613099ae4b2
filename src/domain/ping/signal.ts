/** A signal: a message for a check by HTTP or email, before the check's settings give it a meaning. */
import { storable } from '../../lib/text/text.ts'
import type { Instant } from '../../lib/time.ts'
import type { PingSilence } from '../silence/ping-silence.ts'
import type { GivenTiming } from './given-timing.ts'

/** Maximum size of the body of an HTTP ping in bytes: 2.5 MB, as in Healthchecks. */
export const PING_BODY_BYTES_MAX = 2_621_440

export type Action = 'success' | 'start' | 'fail' | 'log'

/** The kind of a ping; an `ign` ping was received and counted but has no effect. */
export type PingKind = Action | 'ign'

export interface Signal {
  readonly action: Action
  /** 0…255 from `/ping/…/<exit status>`, null elsewhere */
  readonly exitStatus: number | null
  /** when a late ping happened, according to its sender; always earlier than its arrival; null for a ping that arrives when it happens */
  readonly occurredAt: Instant | null
  /** run id, lower-case UUID */
  readonly rid: string | null
  readonly scheme: string
  readonly method: string
  /** see {@link userAgent} */
  readonly ua: string
  readonly remoteAddr: string | null
  /** already cut to the body limit, if one applies; for a long email, its beginning; null if empty */
  readonly body: Uint8Array | null
  /** how to read an HTTP body, see `readingType`; null for UTF-8, without a body, and for an email */
  readonly contentType: string | null
  /**
   * the first bytes of an HTTP body as sent, at least `SEARCHED_BYTES` unless it is shorter, to be searched for keywords; null for an empty
   * body and for an email
   */
  readonly searched: Uint8Array | null
  /** an email's text, to be searched for keywords; `unread` if the check had no filter on arrival; null for HTTP */
  readonly mail: MailText | 'unread' | null
  /** the silence that the ping URL requests; `end`: ends the silence requested before; usually omitted */
  readonly silence?: PingSilence | 'end'
}

export const UA_LIMIT = 200

/** Returns the part of a client's user agent that is stored. */
export function userAgent(text: string): string {
  return storable(text.slice(0, UA_LIMIT))
}

/** Maximum length of a Content-Type. A multipart boundary has at most 70 characters (RFC 2046, 5.1.1). */
export const CONTENT_TYPE_LIMIT = 200

/** An email's text: decoded, without markup and attachments. */
export interface MailText {
  readonly subject: string
  readonly body: string
}

/** The target of a ping URL or address: a check's UUID, or the project's ping key and the check's slug. */
export type SignalTarget =
  | { readonly kind: 'id'; readonly id: string }
  | {
      readonly kind: 'slug'
      readonly pingKey: string
      readonly slug: string
      readonly create: boolean
      /** timing of a created check; omitted for the default */
      readonly timing?: GivenTiming | 'unusable'
    }
