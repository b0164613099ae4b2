/** The data about a flip that is needed to write messages about it. */

import type { Advice } from '../advice/advice.ts'
import type { FailureCause } from '../cause/failure-cause.ts'
import type { Uncounted } from '../cause/uncounted.ts'
import type { Check } from '../check/check.ts'
import type { Flip } from '../check/flip.ts'
import type { Taken } from '../incident/event.ts'
import type { IncidentStory } from '../incident/story.ts'
import type { OutputChange } from '../output-diff/output-change.ts'
import type { Ping } from '../ping/ping.ts'

/** Another check in the same project, as listed in a message. */
type Sibling = Pick<Check, 'id' | 'name' | 'lastPingAt'>

/** The project's other checks. */
export interface Siblings {
  readonly exist: boolean
  /** number of checks whose stored status is down */
  readonly downCount: number
  /** checks that are down, oldest first, at most {@link SIBLINGS_NAMED} */
  readonly down: readonly Sibling[]
  /**
   * number of checks in each status except down; null if a check is down, or the project has more than {@link SIBLINGS_COUNTED} checks. New
   * and paused checks are not monitored
   */
  readonly counts: Readonly<Record<'up' | 'new' | 'paused', number>> | null
}

/** Maximum number of checks in a project for which every status is counted. In larger projects, only checks that are down are counted. */
export const SIBLINGS_COUNTED = 2_000

/** Maximum number of checks that a message names. If there are more, the message states only how many. */
export const SIBLINGS_NAMED = 10

/** Maximum number of bytes of a ping's body that can be used in messages. The body of an email ping can be up to 32 MB in size. */
export const BODY_BYTES = { start: 262_144, end: 65_536 } as const

/** A ping with the part of its body that can be shown in messages. */
export interface LastPing extends Ping {
  /** the body, or its first `BODY_BYTES.start` bytes if it is longer; null or empty if there is none */
  readonly body: Uint8Array | null
  /** size of the complete body, in bytes; 0 if there is none */
  readonly bodySize: number
  /** the last bytes of the body, at most `BODY_BYTES.end`; null or empty if there is no body, and always null for an email */
  readonly bodyEnd: Uint8Array | null
  /** length of the body, in bytes, if it was dropped because the log was full; otherwise null */
  readonly droppedBytes: number | null
}

/** A flip with its context, the failure's cause and the changes in the output. */
export interface ExplainedFlip extends FlipContext {
  /** cause of the failure; null if the ping URL itself signalled the failure, the cause is unknown, or nothing failed */
  readonly cause: FailureCause | null
  /** changes in the output; null unless a failure with output took the check down. Secrets that could be used to send pings are removed */
  readonly change: OutputChange | null
}

/** A flip with its context. */
export interface FlipContext {
  readonly check: Check
  readonly flip: Flip
  /** previous flip of the check; null if this is the first */
  readonly previousFlip: Flip | null
  /** true: the check has had no later flip */
  readonly isNewest: boolean
  /** incident that this flip opened or ended; null if unknown */
  readonly incident: IncidentStory | null
  /** acknowledgement that the message is about; null: the message is about the flip */
  readonly taken: Taken | null
  /** newest ping at or before the time of the flip */
  readonly lastPing: LastPing | null
  /** pings that did not count and arrived between the last counted ping and the flip, and the pings rejected during the last day */
  readonly uncounted: Uncounted
  readonly projectName: string
  /** null if the project is about to be deleted */
  readonly projectSlug: string | null
  /** default time zone for times in messages; null: the check's zone */
  readonly projectTz: string | null
  readonly siblings: Siblings
  /** advice that explains why similar alerts repeat; null if they don't repeat, or if no advice explains them */
  readonly advice: Advice | null
}
