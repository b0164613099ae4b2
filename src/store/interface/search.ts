/** The search over what pings brought. */

import type { PingKind } from '../../domain/ping/signal.ts'
import type { Instant } from '../../lib/time.ts'

/** The beginning of a body that is searched: at most 64 KiB. */
export interface PingBegin {
  readonly scheme: string
  readonly bodyStart: Uint8Array
  /** of the whole body */
  readonly bodySize: number
  readonly contentType: string | null
}

/** A log entry whose words are to be read. */
export interface UnreadPing extends PingBegin {
  readonly id: number
  readonly checkId: string
  readonly n: number
}

/** Some entries of the log, in order. All but `pings` is opaque to callers. */
export interface UnreadPings {
  readonly isQueue: boolean
  readonly after: number
  readonly upTo: number
  /** those of them that are searched; may be none */
  readonly pings: readonly UnreadPing[]
}

/** What was read of an entry. */
export interface PingWords {
  readonly id: number
  readonly checkId: string
  readonly n: number
  /** in the order in which they stand */
  readonly words: readonly string[]
}

/** A ping that a search has found. */
export interface PingHit {
  /** grows with every ping */
  readonly id: number
  readonly checkId: string
  readonly n: number
  readonly receivedAt: Instant
  readonly kind: PingKind
}

/** Of the pings that a search looks at. */
export interface SearchedIds {
  /** only greater ones */
  readonly above: number
  /** only lesser ones */
  readonly below: number
}

/** Some of the pings that a search has found. */
export interface PingHits {
  /** newest first */
  readonly hits: readonly PingHit[]
  /** only lesser ids have not been looked at; null: all have */
  readonly below: number | null
}

/** How far the words of pings have been read. */
export interface SearchProgress {
  /** when the first ping came whose words are not read yet; null if all are */
  readonly unreadSince: Instant | null
  /** ids of projects of which earlier pings are read again */
  readonly reread: ReadonlySet<string>
}
