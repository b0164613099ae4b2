/** The facts about a flip from which its messages are written. */

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
  /** number of checks that are stored as down */
  readonly downCount: number
  /** checks that are down, in order of creation, at most {@link SIBLINGS_NAMED} */
  readonly down: readonly Sibling[]
  /**
   * number of checks in each other status; null if a check is down, or there are more than {@link SIBLINGS_COUNTED} checks. New and paused
   * checks are not monitored
   */
  readonly counts: Readonly<Record<'up' | 'new' | 'paused', number>> | null
}

/** Project size above which only checks that are down are counted. */
export const SIBLINGS_COUNTED = 2_000

/** Maximum number of checks that a message names; of more, it gives only the number. */
export const SIBLINGS_NAMED = 10

/** Bytes of a body that messages can use. The body of an email ping may have 32 MB. */
export const BODY_BYTES = { start: 262_144, end: 65_536 } as const

/** A ping with the part of its body that a message may show. */
export interface LastPing extends Ping {
  /** the whole body, or the first `BODY_BYTES.start` bytes of a longer one; null or empty without one */
  readonly body: Uint8Array | null
  /** size of the whole body; 0 without one */
  readonly bodySize: number
  /** the last `BODY_BYTES.end` bytes at most; null or empty without a body, and null for an email */
  readonly bodyEnd: Uint8Array | null
  /** length of a body that was dropped because the log was full; null: none was */
  readonly droppedBytes: number | null
}

/** A flip with its context, the cause of a failure, and what is new in the output. */
export interface ExplainedFlip extends FlipContext {
  /** null: the end of the ping's URL was the cause, the cause is unknown, or there was no failure */
  readonly cause: FailureCause | null
  /** null unless a failure with output took the check down; secrets that allow pings are removed */
  readonly change: OutputChange | null
}

/** A flip with its context. */
export interface FlipContext {
  readonly check: Check
  readonly flip: Flip
  /** the flip before this one; null when there was none */
  readonly previousFlip: Flip | null
  /** true: no later flip of the check exists */
  readonly isNewest: boolean
  /** the incident that the flip opened or ended; null if unknown */
  readonly incident: IncidentStory | null
  /** the acknowledgement of that incident, if the message is about it; null: the message is about the flip */
  readonly taken: Taken | null
  /** the newest ping that is not later than the flip */
  readonly lastPing: LastPing | null
  /** uncounted pings between the last counted one and the flip, and the refused ones of the last day */
  readonly uncounted: Uncounted
  readonly projectName: string
  /** null: the project is being deleted */
  readonly projectSlug: string | null
  /** zone of times in messages without a zone of their own; null: that of the check */
  readonly projectTz: string | null
  readonly siblings: Siblings
  /** the reason why such alerts recur; null if they do not, or the reason is unknown */
  readonly advice: Advice | null
}
