/** Pings and the log. */

import type { Ping } from '../../domain/ping/ping.ts'
import type { Signal, SignalTarget } from '../../domain/ping/signal.ts'
import type { Instant } from '../../lib/time.ts'
import type { Rules } from './rules.ts'

/** A signal on its way to a check. */
export interface Arrival {
  readonly target: SignalTarget
  /** null for an invalid request that names a target; a missing or ambiguous target is reported first */
  readonly signal: Signal | null
  readonly receivedAt: Instant
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

/** The part of a body in which a list finds what it says of it. */
export interface BodyEnd {
  /** number of the ping */
  readonly n: number
  readonly scheme: string
  readonly contentType: string | null
  /** the end of a body, `BODY_END_BYTES` of `domain/cause/trouble.ts`, or all of a shorter one; of an email the first {@link SUBJECT_BYTES} */
  readonly bytes: Uint8Array
  /** of the whole body */
  readonly size: number
}

/** The subject of an email stands behind what the servers on its way have added. */
export const SUBJECT_BYTES = 4_096

/** A log entry with the beginning of its body. */
export interface LogLine extends Omit<LoggedPing, 'body'> {
  /** as many bytes as were asked for; null without a body */
  readonly bodyStart: Uint8Array | null
  /** of the whole body; 0 without one */
  readonly bodySize: number
}

export interface PingStore {
  /**
   * The hot path: one call for each batch, so that an engine can implement it in its own way. Signals take effect in order,
   * each on the state that the one before has left, and write check, log entry, flip and deliveries. The numbers of a check's
   * pings and of its flips have no gaps. A signal whose target is missing or ambiguous does not affect the others.
   */
  commitPings(arrivals: readonly Arrival[], rules: Rules): Promise<CommittedPings>
  /** Whether a ping to this target would find a check now; ignores `create`. */
  findTarget(target: SignalTarget): Promise<TargetState>
  /** The ping key that a project has, spelled so or, if none is, in another letter case. @returns null for none, and for several */
  findPingKey(spelled: string): Promise<string | null>
  /** Newest first, at most `limit`. May include entries beyond the project's limit that `prune` has not removed yet. */
  listPings(checkId: string, limit: number): Promise<PingSummary[]>
  /**
   * Newest first, at most `limit`. May include entries beyond the project's limit that `prune` has not removed yet.
   * @param before the number of a ping: only entries before it are read; null begins at the newest
   * @param bytes of each body
   */
  readLog(checkId: string, before: number | null, limit: number, bytes: number): Promise<LogLine[]>
  /** Of the pings with these numbers whose body the log holds. Reads no other body. */
  readBodyEnds(checkId: string, numbers: readonly number[]): Promise<BodyEnd[]>
  /** The first `bytes` of a ping's body. @returns null if the log does not hold the ping */
  findPingStart(checkId: string, n: number, bytes: number): Promise<LogLine | null>
  /** @returns null if the log does not hold it */
  findPing(checkId: string, n: number): Promise<LoggedPing | null>
}
