/** The search over the content of pings. */

import type { PingKind } from '../../domain/ping/signal.ts'
import type { Instant } from '../../lib/time.ts'

/** The beginning of a body that is searched: at most 64 KiB. */
export interface PingBegin {
  readonly scheme: string
  readonly bodyStart: Uint8Array
  /** bytes of the whole body */
  readonly bodySize: number
  readonly contentType: string | null
}

/** A log entry whose words must be indexed. */
export interface UnreadPing extends PingBegin {
  readonly id: number
  readonly checkId: string
  readonly n: number
}

/** Some entries of the log, in order. Everything except `pings` is opaque to callers. */
export interface UnreadPings {
  readonly isQueue: boolean
  readonly after: number
  readonly upTo: number
  /** the searched ones among these entries; may be none */
  readonly pings: readonly UnreadPing[]
}

/** The words of an entry. */
export interface PingWords {
  readonly id: number
  readonly checkId: string
  readonly n: number
  /** words in their order */
  readonly words: readonly string[]
}

/** A ping that a search found. */
export interface PingHit {
  /** grows with every ping */
  readonly id: number
  readonly checkId: string
  readonly n: number
  readonly receivedAt: Instant
  readonly kind: PingKind
}

/** The range of pings that a search examines. */
export interface SearchedIds {
  /** only greater ones */
  readonly above: number
  /** only lesser ones */
  readonly below: number
}

/** Some of the pings that a search found. */
export interface PingHits {
  /** newest first */
  readonly hits: readonly PingHit[]
  /** only pings with lesser ids have not been examined; null: all have */
  readonly below: number | null
}

/** The progress of indexing the words of pings. */
export interface SearchProgress {
  /** arrival of the first ping whose words are not indexed yet; null if all are */
  readonly unreadSince: Instant | null
  /** ids of projects whose earlier pings are indexed again */
  readonly reread: ReadonlySet<string>
}
