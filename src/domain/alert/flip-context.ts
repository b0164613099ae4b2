/** The facts about a flip that its messages use. */

import type { Advice } from '../advice/advice.ts'
import type { FailureCause } from '../cause/failure-cause.ts'
import type { Uncounted } from '../cause/uncounted.ts'
import type { Check } from '../check/check.ts'
import type { Flip } from '../check/flip.ts'
import type { Taken } from '../incident/event.ts'
import type { IncidentStory } from '../incident/story.ts'
import type { OutputChange } from '../output-diff/output-change.ts'
import type { Ping } from '../ping/ping.ts'

/** Another check of the same project, as listed in a message. */
type Sibling = Pick<Check, 'id' | 'name' | 'lastPingAt'>

/** The other checks of the project. */
export interface Siblings {
  readonly exist: boolean
  /** number of checks whose stored status is down */
  readonly downCount: number
  /** checks that are down, oldest first, at most {@link SIBLINGS_NAMED} */
  readonly down: readonly Sibling[]
  /**
   * number of checks per status, other than down; null if a check is down, or the project has more than {@link SIBLINGS_COUNTED} checks.
   * New and paused checks are not monitored
   */
  readonly counts: Readonly<Record<'up' | 'new' | 'paused', number>> | null
}

/** Maximum project size for which all statuses are counted. In larger projects, only checks that are down are counted. */
export const SIBLINGS_COUNTED = 2_000

/** Maximum number of checks that a message names. If there are more, it only says how many. */
export const SIBLINGS_NAMED = 10

/** Maximum number of bytes of a body that messages can use. The body of an email ping can have up to 32 MB. */
export const BODY_BYTES = { start: 262_144, end: 65_536 } as const

/** A ping with the part of its body that messages may show. */
export interface LastPing extends Ping {
  /** the body, or the first `BODY_BYTES.start` bytes of a longer one; null or empty if there is none */
  readonly body: Uint8Array | null
  /** size of the complete body; 0 if there is none */
  readonly bodySize: number
  /** at most the last `BODY_BYTES.end` bytes; null or empty if there is no body, and null for an email */
  readonly bodyEnd: Uint8Array | null
  /** length of a body that was dropped because the log was full; null: no body was dropped */
  readonly droppedBytes: number | null
}

/** A flip with its context, the cause of the failure and the changes in the output. */
export interface ExplainedFlip extends FlipContext {
  /** cause of the failure; null if the last path segment of the ping URL caused it, the cause is unknown, or nothing failed */
  readonly cause: FailureCause | null
  /** changes in the output; null unless a failure with output took the check down. Secrets that would allow pings are removed */
  readonly change: OutputChange | null
}

/** A flip with its context. */
export interface FlipContext {
  readonly check: Check
  readonly flip: Flip
  /** the flip before this one; null if this is the first */
  readonly previousFlip: Flip | null
  /** true: the check has had no later flip */
  readonly isNewest: boolean
  /** the incident that this flip opened or ended; null if unknown */
  readonly incident: IncidentStory | null
  /** the acknowledgement of the incident, if the message is about the acknowledgement; null: the message is about the flip */
  readonly taken: Taken | null
  /** the newest ping that is not later than the flip */
  readonly lastPing: LastPing | null
  /** pings that arrived after the last counted one and before the flip but did not count, and the pings refused during the last day */
  readonly uncounted: Uncounted
  readonly projectName: string
  /** null if the project is being deleted */
  readonly projectSlug: string | null
  /** zone for times in messages, unless the message has a zone of its own; null: the check's zone */
  readonly projectTz: string | null
  readonly siblings: Siblings
  /** advice that explains why similar alerts repeat; null if they don't, or the reason is unknown */
  readonly advice: Advice | null
}
