/** Determines the effects of a ping on its check. */

import { type Instant, isBefore, microsecondsBetween } from '../../lib/time.ts'
import { startedAt, type WatchedCheck } from '../check/check.ts'
import { type Flip, flipTo } from '../check/flip.ts'
import { punctuality } from '../check/punctuality.ts'
import { type EndedRun, recordRun } from '../check/run-history.ts'
import type { PingSilence } from '../silence/ping-silence.ts'
import { classify, type IgnoringRule, type Verdict } from './classify.ts'
import { isEndOf, isOverlapping, ridAfterEnd, ridOfStart } from './overlap.ts'
import type { PingKind, Signal } from './signal.ts'

/** An entry in a check's log. */
export interface Ping extends Omit<Signal, 'action' | 'searched' | 'mail' | 'silence'> {
  readonly checkId: string
  /** sequence number of the ping, starting at 1 for each check */
  readonly n: number
  readonly receivedAt: Instant
  readonly kind: PingKind
  /** rule that caused a ping of kind `ign` to be ignored; null for other kinds, or if unknown */
  readonly ignoredBy: IgnoringRule | null
}

export interface Received {
  readonly check: WatchedCheck
  readonly ping: Ping
  readonly flip: Flip | null
  /** run that this ping ended; null if the ping is neither a success nor a failure */
  readonly run: FinishedRun | null
}

export interface FinishedRun extends EndedRun {
  /** start of the run that this ping ended; null if there was none */
  readonly startedAt: Instant | null
}

/**
 * Applies an arriving signal to a check. Returns the changed check, the log entry, and the flip if there is one. The rules are the same as
 * in Healthchecks, except that a start also ends a pause (docs/compatibility.md).
 */
export function receive(check: WatchedCheck, signal: Signal, now: Instant): Received {
  const verdict = classify(check, signal)
  const { kind } = verdict
  const nPings = check.nPings + 1
  const ping = logEntry(check, signal, verdict, nPings, now)
  switch (kind) {
    case 'log':
    case 'ign':
      return { check: { ...check, nPings }, ping, flip: null, run: null }
    case 'start': {
      if (isBeforeStart(check, signal)) return { check: { ...check, nPings }, ping, flip: null, run: null }
      const lastStartRid = ridOfStart(check, signal.rid, now)
      const began = { lastStartAt: now, lastStartOccurredAt: signal.occurredAt, lastStartRid }
      return { ping, run: null, ...start({ ...check, nPings, ...began }, now) }
    }
    default: {
      const closed = isBeforeStart(check, signal) ? closeByRunId(check, signal) : closeRun(check, kind, signal, now)
      const lastSuccessAt = kind === 'success' ? now : check.lastSuccessAt
      const run = finishedRun(check, kind, closed, signal.occurredAt ?? now)
      const runs = recordRun(check.runs, run)
      const finished = { ...check, nPings, ...closed, lastPingAt: now, lastSuccessAt, sparedUntil: null, runs }
      return { ping, run, ...finish(finished, kind, now) }
    }
  }
}

/**
 * Returns the silence that a signal requests, or `end` if the signal ends one. Returns null if the signal does neither, or if the check
 * ignores the ping.
 */
export function silenceAskedFor({ silence }: Pick<Signal, 'silence'>, kind: PingKind): PingSilence | 'end' | null {
  return kind === 'ign' ? null : (silence ?? null)
}

function logEntry(check: WatchedCheck, signal: Signal, verdict: Verdict, n: number, receivedAt: Instant): Ping {
  const { exitStatus, rid, scheme, method, ua, remoteAddr, body, contentType, occurredAt } = signal
  const { kind } = verdict
  const ignoredBy = verdict.kind === 'ign' ? verdict.by.name : null
  const checkId = check.id
  return {
    ...{ checkId, n, receivedAt, occurredAt, kind, ignoredBy },
    ...{ exitStatus, rid, scheme, method, ua, remoteAddr, body, contentType },
  }
}

type Effect = Pick<Received, 'check' | 'flip'>

/** Applies a start. It ends a pause, but only a success or failure determines whether the check is up or down. */
function start(running: WatchedCheck, now: Instant): Effect {
  return running.status === 'paused' ? flipTo(running, 'new', '', now) : { check: running, flip: null }
}

function finish(finished: WatchedCheck, kind: 'success' | 'fail', now: Instant): Effect {
  const newStatus = kind === 'success' ? 'up' : 'down'
  if (finished.status === newStatus) return { check: finished, flip: null }
  return flipTo(finished, newStatus, kind === 'fail' ? 'fail' : '', now)
}

/** @param endedAt time at which the job ended, even if its ping arrived later */
function finishedRun(check: WatchedCheck, kind: 'success' | 'fail', closed: Closed, endedAt: Instant): FinishedRun {
  const began = closed.lastStartAt === null ? startedAt(check) : null
  const { isLate, missed } = punctuality(check, began, endedAt)
  const duration = isOverlapping(check) ? null : closed.lastDuration
  return { kind: kind === 'fail' ? 'failed' : isLate ? 'late' : 'ok', duration, missed, startedAt: began }
}

type Closed = Pick<WatchedCheck, 'lastStartAt' | 'lastStartOccurredAt' | 'lastStartRid' | 'lastDuration'>

/** Whether a late ping belongs to a run before the current one and therefore does not affect it. */
function isBeforeStart(check: WatchedCheck, { occurredAt }: Signal): boolean {
  if (occurredAt === null) return false
  const began = startedAt(check)
  return began !== null && isBefore(occurredAt, began)
}

function leftAlone({ lastStartAt, lastStartOccurredAt, lastStartRid }: WatchedCheck): Closed {
  return { lastStartAt, lastStartOccurredAt, lastStartRid, lastDuration: null }
}

const NO_START = { lastStartAt: null, lastStartOccurredAt: null } as const

/** Closes the current run if the ping has its run ID. This also works if the sender's clock is slow, but the duration is then unknown. */
function closeByRunId(check: WatchedCheck, { rid }: Signal): Closed {
  const isNamed = rid !== null && rid === check.lastStartRid
  return isNamed ? { ...NO_START, lastStartRid: null, lastDuration: null } : leftAlone(check)
}

/**
 * Closes the current run. If runs overlap, only the latest one gets a duration. A success with a different run ID does not end the current
 * run. As in Healthchecks, the API returns a duration even for overlapping runs without run IDs, but the run history does not store it.
 */
function closeRun(check: WatchedCheck, kind: 'success' | 'fail', { rid, occurredAt }: Signal, now: Instant): Closed {
  const began = startedAt(check)
  const left = ridAfterEnd(check, rid)
  if (began === null) return { ...NO_START, lastStartRid: left, lastDuration: null }
  if (isEndOf(check, rid)) {
    const lastDuration = Math.max(0, microsecondsBetween(began, occurredAt ?? now))
    return { ...NO_START, lastStartRid: left, lastDuration }
  }
  if (kind === 'success' && rid !== null) return leftAlone(check)
  return { ...NO_START, lastStartRid: null, lastDuration: null }
}
