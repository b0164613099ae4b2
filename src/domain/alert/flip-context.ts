/** What is known about a flip when a message about it is written. */

import type { Advice } from '../advice/advice.ts'
import type { FailureCause } from '../cause/failure-cause.ts'
import type { Uncounted } from '../cause/uncounted.ts'
import type { Check } from '../check/check.ts'
import type { Flip } from '../check/flip.ts'
import type { Taken } from '../incident/event.ts'
import type { IncidentStory } from '../incident/story.ts'
import type { OutputChange } from '../output-diff/output-change.ts'
import type { Ping } from '../ping/ping.ts'

/** Another check of the project, as a message lists it. */
type Sibling = Pick<Check, 'id' | 'name' | 'lastPingAt'>

/** The other checks of the project. */
export interface Siblings {
  readonly exist: boolean
  /** how many of them are stored as down */
  readonly downCount: number
  /** those that are down, in order of creation, {@link SIBLINGS_NAMED} at most */
  readonly down: readonly Sibling[]
  /**
   * While none is down, how many are in each other status; null while one is down, and when there are more than {@link SIBLINGS_COUNTED}. Those
   * that are new or paused are not watched.
   */
  readonly counts: Readonly<Record<'up' | 'new' | 'paused', number>> | null
}

/** In a larger project only those that are down are counted. */
export const SIBLINGS_COUNTED = 2_000

/** With more than this many, a message gives their number instead of their names. */
export const SIBLINGS_NAMED = 10

/** How many bytes of a body messages can use. An email ping's body may have 32 MB. */
export const BODY_BYTES = { start: 262_144, end: 65_536 } as const

/** A ping with the part of its body that a message may show. */
export interface LastPing extends Ping {
  /** the whole body, or the first `BODY_BYTES.start` bytes of a longer one; null or empty without one */
  readonly body: Uint8Array | null
  /** of the whole body; 0 without one */
  readonly bodySize: number
  /** the last `BODY_BYTES.end` bytes at most; null or empty without a body, and null for an email */
  readonly bodyEnd: Uint8Array | null
  /** length of a body that was dropped because the log was full; null when none was */
  readonly droppedBytes: number | null
}

/** A flip with what is known about it, what made the last ping a failure, and what is new in its output. */
export interface ExplainedFlip extends FlipContext {
  /** null: the end of its URL, or it is not known, or it is none */
  readonly cause: FailureCause | null
  /** null unless a failure with an output took the check down; without what would allow pings */
  readonly change: OutputChange | null
}

/** What is known about a flip. */
export interface FlipContext {
  readonly check: Check
  readonly flip: Flip
  /** the flip before this one; null when there was none */
  readonly previousFlip: Flip | null
  /** true: no flip of the check came after it */
  readonly isNewest: boolean
  /** the incident that it opened or ended; null when nothing is known of one */
  readonly incident: IncidentStory | null
  /** somebody has taken that incident, and the message is about this; null: it is about the flip */
  readonly taken: Taken | null
  /** the newest ping that is not later than the flip */
  readonly lastPing: LastPing | null
  /** pings until the flip since the last one that counted; and what was refused on the last day */
  readonly uncounted: Uncounted
  readonly projectName: string
  /** of the times in messages that have no zone of their own; null: that of the check */
  readonly projectTz: string | null
  readonly siblings: Siblings
  /** what tells why such alerts come again and again; null while they do not, or nobody knows */
  readonly advice: Advice | null
}
