/** Pings, the log and rejected requests. */
import type { RefusedSignals } from '../../domain/cause/refused.ts'
import type { Ping } from '../../domain/ping/ping.ts'
import type { Signal, SignalTarget } from '../../domain/ping/signal.ts'
import type { Instant } from '../../lib/time.ts'

/** A signal that has arrived for a check. */
export interface Arrival {
  readonly target: SignalTarget
  /**
   * signal to process; null if the request names a target but is otherwise invalid. If the target is missing or ambiguous, that is reported
   * instead
   */
  readonly signal: Signal | null
  readonly receivedAt: Instant
  /**
   * the rest of a long body, which is already stored; the signal contains only the beginning. Omitted if the signal contains the complete
   * body. Each rest belongs to one ping
   */
  readonly rest?: RestOfBody
}

/** The rest of a long body, which follows the beginning. */
export interface RestOfBody {
  readonly id: string
  readonly bytes: number
}

/** Result of an arrival. It is `rejected` if the signal is null. Only `ok` and `created` write anything. */
export type ArrivalOutcome = 'ok' | 'created' | 'rejected' | 'not-found' | 'ambiguous'

/** `filtersMail`: whether the check searches emails for keywords. */
export type TargetState = { readonly filtersMail: boolean } | 'not-found' | 'ambiguous'

export interface CommittedPings {
  readonly outcomes: readonly ArrivalOutcome[]
  /** true if the batch wrote deliveries */
  readonly owed: boolean
  /** true if a body is so long that `prune` should run immediately */
  readonly prunable: boolean
}

/** A log entry. */
export interface LoggedPing extends Ping {
  /** size in bytes of the body if it was dropped because the log was full, in which case `body` is null; null if it was not dropped */
  readonly droppedBytes: number | null
}

/** A log entry without its body. */
export interface PingSummary extends Omit<LoggedPing, 'body'> {
  readonly hasBody: boolean
}

/** A success that a later run is compared with. */
export interface GoodPing {
  readonly n: number
  readonly receivedAt: Instant
  readonly occurredAt: Instant | null
  readonly hasBody: boolean
}

/** The part of a body that is read to find the excerpt shown in lists. */
export interface BodyEnd {
  /** number of the ping */
  readonly n: number
  readonly scheme: string
  readonly contentType: string | null
  /**
   * the last `BODY_END_BYTES` bytes (see `domain/cause/trouble.ts`), or the complete body if it is shorter; for an email, the first {@link
   * SUBJECT_BYTES} bytes
   */
  readonly bytes: Uint8Array
  /** size of the complete body in bytes */
  readonly size: number
}

/**
 * Number of bytes of an email that are searched for its subject. The subject comes after the headers that mail servers added in transit.
 */
export const SUBJECT_BYTES = 4_096

/** A log entry with the beginning of its body. */
export interface LogLine extends Omit<LoggedPing, 'body'> {
  /** as many bytes as requested; null if there is no body */
  readonly bodyStart: Uint8Array | null
  /** size of the complete body in bytes; 0 if there is none */
  readonly bodySize: number
}

/** The log entry fields that are shown for runs with problems. */
export type RunEntry = Pick<Ping, 'n' | 'kind' | 'receivedAt' | 'occurredAt' | 'rid' | 'remoteAddr'>

/** Rejected requests with the same target. */
export interface NotedRefusal extends RefusedSignals {
  /** the target that the requests named, which may not exist */
  readonly target: SignalTarget
}
