/**
 * Replays a check's log: the state of the check before each event, and the run history as if it had been recorded from the beginning of the
 * log.
 */
import type { Instant } from '../../lib/time.ts'
import { type Check, newCheck } from '../check/check.ts'
import { pause, resume } from '../check/pause.ts'
import { type FinishedRun, receive } from '../ping/ping.ts'
import type { PingKind, Signal } from '../ping/signal.ts'

export interface PastPing {
  readonly kind: PingKind
  readonly rid: string | null
  readonly at: Instant
  /** time of a late ping; omitted for others */
  readonly occurredAt?: Instant | null
}

/** A person paused or resumed the check. */
export interface PastPause {
  readonly kind: 'pause' | 'resume'
  readonly at: Instant
}

export type PastEvent = PastPing | PastPause

type PastTiming = Pick<Check, 'kind' | 'timeoutSeconds' | 'graceSeconds' | 'schedule' | 'tz'>

/** A past event and its effect. */
export interface PastStep<Event extends PastEvent> {
  readonly event: Event
  readonly before: Check
  readonly after: Check
  /** the run that the event ended; null if it ended none */
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
 * Returns the run history. Judges by today's schedule, and treats an outage of the server as silence of the job, because the log records
 * neither.
 * @param events oldest first
 */
export function pastRuns(timing: PastTiming, createdAt: Instant, events: readonly PastEvent[]): Uint8Array {
  let check = unknownCheck(timing, createdAt)
  for (const event of events) check = pastStep(check, event).after
  return check.runs
}

/** Returns a check without any events. It has the given timing, and no filters, so that no ping is reclassified. */
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
