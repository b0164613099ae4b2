/** What a check was before each event of its log, and the run history that it would have, had it been kept from the log's beginning. */
import type { Instant } from '../../lib/time.ts'
import { type Check, newCheck } from '../check/check.ts'
import { pause, resume } from '../check/pause.ts'
import { type FinishedRun, receive } from '../ping/ping.ts'
import type { PingKind, Signal } from '../ping/signal.ts'

export interface PastPing {
  readonly kind: PingKind
  readonly rid: string | null
  readonly at: Instant
  /** of a late ping; omitted for others */
  readonly occurredAt?: Instant | null
}

/** A person paused or resumed the check. */
export interface PastPause {
  readonly kind: 'pause' | 'resume'
  readonly at: Instant
}

export type PastEvent = PastPing | PastPause

type PastTiming = Pick<Check, 'kind' | 'timeoutSeconds' | 'graceSeconds' | 'schedule' | 'tz'>

/** One event of the past, and what it did. */
export interface PastStep<Event extends PastEvent> {
  readonly event: Event
  readonly before: Check
  readonly after: Check
  /** the run that it ended; null when it ended none */
  readonly run: FinishedRun | null
}

const SIGNAL: Omit<Signal, 'action' | 'rid'> = {
  exitStatus: null,
  occurredAt: null,
  scheme: 'http',
  method: 'GET',
  ua: '',
  remoteAddr: null,
  body: null,
  contentType: null,
  searched: null,
  mail: null,
}

/**
 * It judges by today's schedule, and takes an outage of the server for silence of the job, because the log tells neither.
 * @param events oldest first
 */
export function pastRuns(timing: PastTiming, createdAt: Instant, events: readonly PastEvent[]): Uint8Array {
  let check = unknownCheck(timing, createdAt)
  for (const event of events) check = pastStep(check, event).after
  return check.runs
}

/** A check of which nothing has happened yet. It has only the timing of a given one, and no filters, so that each kind of ping means itself. */
export function unknownCheck(of: PastTiming, createdAt: Instant): Check {
  const { kind, timeoutSeconds, graceSeconds, schedule, tz } = of
  const timing = { kind, timeoutSeconds, graceSeconds, schedule, tz }
  return { ...newCheck({ id: '', projectId: '', badgeKey: '', publicId: '', createdAt }), ...timing }
}

export function pastStep<Event extends PastEvent>(before: Check, event: Event): PastStep<Event> {
  const { after, run } = happened(before, event)
  return { event, before, after, run }
}

function happened(check: Check, event: PastEvent): Pick<PastStep<PastEvent>, 'after' | 'run'> {
  switch (event.kind) {
    case 'log':
    case 'ign':
      return { after: check, run: null }
    case 'pause':
      return { after: pause(check, event.at)?.check ?? check, run: null }
    case 'resume':
      return { after: resume(check, event.at)?.check ?? check, run: null }
    default: {
      const received = receive(
        check,
        { ...SIGNAL, action: event.kind, rid: event.rid, occurredAt: event.occurredAt ?? null },
        event.at,
      )
      return { after: { ...check, ...received.check }, run: received.run }
    }
  }
}
