/** Full-text search in pings. */

import type { PingKind } from '../../domain/ping/signal.ts'
import type { Instant } from '../../lib/time.ts'

/** The beginning of a body, at most 64 KiB. The rest is not searched. */
export interface PingBegin {
  readonly scheme: string
  readonly bodyStart: Uint8Array
  /** size of the complete body in bytes */
  readonly bodySize: number
  readonly contentType: string | null
}

/** A log entry whose words must be indexed. */
export interface UnreadPing extends PingBegin {
  readonly id: number
  readonly checkId: string
  readonly n: number
}

/** A batch of log entries, in order. Callers must not interpret any member except `pings`. */
export interface UnreadPings {
  readonly isQueue: boolean
  readonly after: number
  readonly upTo: number
  /** the entries in the batch that can be searched; may be empty */
  readonly pings: readonly UnreadPing[]
}

/** The words of a log entry. */
export interface PingWords {
  readonly id: number
  readonly checkId: string
  readonly n: number
  /** words in the order in which they appear in the entry */
  readonly words: readonly string[]
}

/** A ping that a search found. */
export interface PingHit {
  /** id of the ping, which is higher than that of any earlier ping */
  readonly id: number
  readonly checkId: string
  readonly n: number
  readonly receivedAt: Instant
  readonly kind: PingKind
}

/** The range of ping ids to search. */
export interface SearchedIds {
  /** only ids greater than this */
  readonly above: number
  /** only ids less than this */
  readonly below: number
}

/** A batch of the pings that a search found. */
export interface PingHits {
  /** newest first */
  readonly hits: readonly PingHit[]
  /** id down to which all pings have been examined; null if all pings have been examined */
  readonly below: number | null
}

/** Progress of indexing the words of pings. */
export interface SearchProgress {
  /** time of arrival of the first ping whose words are not indexed yet; null if all pings are indexed */
  readonly unreadSince: Instant | null
  /** ids of projects whose earlier pings are being reindexed */
  readonly reread: ReadonlySet<string>
}
