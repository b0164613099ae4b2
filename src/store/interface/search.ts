/** The search over what pings brought. */

import type { PingKind } from '../../domain/ping/signal.ts'
import type { WordPattern } from '../../domain/search/query.ts'
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

export interface SearchStore {
  /** Entries of the log whose words are to be read, new ones first. @returns null if there is none now */
  findUnreadPings(): Promise<UnreadPings | null>
  /**
   * Stores words that were read, in a short transaction, maybe not all of them; the others are found again. An entry that is
   * gone or another one by then is left out.
   * @param words one for each of `unread.pings`
   */
  writePingWords(unread: UnreadPings, words: readonly PingWords[]): Promise<void>
  /** Whether entries must be read again: of a project that was switched, or of a check that was transferred. */
  mustRefillUnreadPings(): Promise<boolean>
  /** Finds some of these entries, after {@link findUnreadPings} has found none. @returns false if there are none */
  refillUnreadPings(): Promise<boolean>
  /** A short step of the engine's upkeep after words were written. @returns false if there is nothing to do */
  tidyPingWords(): Promise<boolean>
  /**
   * Looks at the newest `limit` pings that match, and returns those of the project that its logs show. None if the project is not
   * searched.
   * @param pattern in one scope of the project, see `scoped` in the domain; so a call takes a few milliseconds
   */
  searchPings(projectId: string, pattern: WordPattern, ids: SearchedIds, limit: number): Promise<PingHits>
  /** In the order of `hits`; null if the log holds one no longer, or its body was dropped. Give few at a time. */
  findHitBegins(hits: readonly PingHit[]): Promise<(PingBegin | null)[]>
  readSearchProgress(): Promise<SearchProgress>
}
