/** The heart: what one ping makes of a check. */
import type { Check } from './check.ts'
import { classify } from './classify.ts'
import { type Flip, flipTo } from './flip.ts'
import type { PingKind, Signal } from './signal.ts'
import { type Instant, microsecondsBetween } from './time.ts'

/** One entry of a check's log. */
export interface Ping extends Omit<Signal, 'action'> {
  readonly checkId: string
  /** 1 for the check's first ping */
  readonly n: number
  readonly receivedAt: Instant
  readonly kind: PingKind
}

export interface Received {
  readonly check: Check
  readonly ping: Ping
  readonly flip: Flip | null
}

/**
 * What `signal`, arriving at `now`, makes of `check`: the check after it, the log entry, and the flip it caused.
 * Behaviour of the peer 2.6, 2.7 and 3.5, except that a start takes a paused check out of its pause (spec 3).
 */
export function receive(check: Check, signal: Signal, now: Instant): Received {
  const kind = classify(check, signal)
  const { action: _, ...entry } = signal
  const n = check.nPings + 1
  const ping: Ping = { ...entry, checkId: check.id, n, receivedAt: now, kind }
  const counted = { ...check, nPings: n }
  switch (kind) {
    case 'log':
    case 'ign':
      return { check: counted, ping, flip: null }
    case 'start':
      return { ping, ...start(counted, signal.rid, now) }
    default:
      return { ping, ...finish(counted, kind, signal.rid, now) }
  }
}

type Effect = Pick<Received, 'check' | 'flip'>

function start(check: Check, rid: string | null, now: Instant): Effect {
  const running = { ...check, lastStartAt: now, lastStartRid: rid }
  return check.status === 'paused' ? flipTo(running, 'new', '', now) : { check: running, flip: null }
}

function finish(check: Check, kind: 'success' | 'fail', rid: string | null, now: Instant): Effect {
  const finished: Check = { ...check, ...closeRun(check, kind, rid, now), lastPingAt: now }
  const newStatus = kind === 'success' ? 'up' : 'down'
  if (check.status === newStatus) return { check: finished, flip: null }
  return flipTo(finished, newStatus, kind === 'fail' ? 'fail' : '', now)
}

/** Only the latest of overlapping runs is timed; a success that names another run leaves the pending one pending. */
function closeRun(
  check: Check,
  kind: 'success' | 'fail',
  rid: string | null,
  now: Instant,
): Pick<Check, 'lastStartAt' | 'lastStartRid' | 'lastDuration'> {
  const { lastStartAt, lastStartRid } = check
  if (lastStartAt === null) return { lastStartAt, lastStartRid, lastDuration: null }
  if (lastStartRid === rid) {
    return { lastStartAt: null, lastStartRid: null, lastDuration: Math.max(0, microsecondsBetween(lastStartAt, now)) }
  }
  if (kind === 'success' && rid !== null) return { lastStartAt, lastStartRid, lastDuration: null }
  return { lastStartAt: null, lastStartRid: null, lastDuration: null }
}
