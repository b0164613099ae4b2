/** Pings, the log, and refused requests. */
import type { RefusedSignals } from '../../domain/cause/refused.ts'
import type { Ping } from '../../domain/ping/ping.ts'
import type { Signal, SignalTarget } from '../../domain/ping/signal.ts'
import type { Instant } from '../../lib/time.ts'

/** A signal that arrives for a check. */
export interface Arrival {
  readonly target: SignalTarget
  /** null for an invalid request that names a target; a missing or ambiguous target is reported first */
  readonly signal: Signal | null
  readonly receivedAt: Instant
  /**
   * the rest of a body that is stored already, except for the beginning in the signal; omitted if the signal has all of it. For one ping
   */
  readonly rest?: RestOfBody
}

/** The rest of a long body, which follows its beginning. */
export interface RestOfBody {
  readonly id: string
  readonly bytes: number
}

/** The result of an arrival; `rejected` if its signal is null. Only `ok` and `created` write anything. */
export type ArrivalOutcome = 'ok' | 'created' | 'rejected' | 'not-found' | 'ambiguous'

/** `filtersMail`: the check searches emails for keywords. */
export type TargetState = { readonly filtersMail: boolean } | 'not-found' | 'ambiguous'

export interface CommittedPings {
  readonly outcomes: readonly ArrivalOutcome[]
  /** true if the batch wrote deliveries */
  readonly owed: boolean
  /** true if a body is so long that `prune` should run at once */
  readonly prunable: boolean
}

/** A log entry. */
export interface LoggedPing extends Ping {
  /** length of a body that was dropped because the log was full, so `body` is null; null if none was dropped */
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

/** The part of a body from which a list takes its text. */
export interface BodyEnd {
  /** number of the ping */
  readonly n: number
  readonly scheme: string
  readonly contentType: string | null
  /**
   * the end of a body, `BODY_END_BYTES` of `domain/cause/trouble.ts`, or all of a shorter one; for an email the first {@link SUBJECT_BYTES}
   */
  readonly bytes: Uint8Array
  /** bytes of the whole body */
  readonly size: number
}

/** Bytes of an email in which its subject is searched: it follows the headers that servers on its way have added. */
export const SUBJECT_BYTES = 4_096

/** A log entry with the beginning of its body. */
export interface LogLine extends Omit<LoggedPing, 'body'> {
  /** as many bytes as requested; null without a body */
  readonly bodyStart: Uint8Array | null
  /** bytes of the whole body; 0 without one */
  readonly bodySize: number
}

/** The part of a log entry that is about runs. */
export type RunEntry = Pick<Ping, 'n' | 'kind' | 'receivedAt' | 'occurredAt' | 'rid' | 'remoteAddr'>

/** Refused requests that named the same target. */
export interface NotedRefusal extends RefusedSignals {
  /** the named check, which may not exist */
  readonly target: SignalTarget
}
