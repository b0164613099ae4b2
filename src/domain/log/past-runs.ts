/** Replays a check's log: finds the check's state before each event, and the run history that the log would have produced. */
import type { Instant } from '../../lib/time.ts'
import { type Check, newCheck } from '../check/check.ts'
import { pause, resume } from '../check/pause.ts'
import { type FinishedRun, receive } from '../ping/ping.ts'
import type { PingKind, Signal } from '../ping/signal.ts'

export interface PastPing {
  readonly kind: PingKind
  readonly rid: string | null
  readonly at: Instant
  /** when a late ping's run happened; omitted for other pings */
  readonly occurredAt?: Instant | null
}

/** An event: a user paused or resumed the check. */
export interface PastPause {
  readonly kind: 'pause' | 'resume'
  readonly at: Instant
}

export type PastEvent = PastPing | PastPause

type PastTiming = Pick<Check, 'kind' | 'timeoutSeconds' | 'graceSeconds' | 'schedule' | 'tz'>

/** A past event and its effects. */
export interface PastStep<Event extends PastEvent> {
  readonly event: Event
  readonly before: Check
  readonly after: Check
  /** the run that the event ended; null if it did not end a run */
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
 * Reconstructs the run history. It uses the current schedule and counts runs during server outages as missed, because the log records
 * neither past schedules nor outages.
 * @param events oldest first
 */
export function pastRuns(timing: PastTiming, createdAt: Instant, events: readonly PastEvent[]): Uint8Array {
  let check = unknownCheck(timing, createdAt)
  for (const event of events) check = pastStep(check, event).after
  return check.runs
}

/** Returns a check without any events. It has the given timing but no filters, so that no ping's kind is changed by a filter. */
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
