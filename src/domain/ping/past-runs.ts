/** The run history that a check would have, had it been kept from the beginning of the log. */
import type { Instant } from '../../lib/time.ts'
import { type Check, newCheck } from '../check/check.ts'
import { pause, resume } from '../check/pause.ts'
import { receive } from './ping.ts'
import type { PingKind, Signal } from './signal.ts'

/** A ping, or a person who paused or resumed the check. */
export type PastEvent =
  | { readonly kind: PingKind; readonly rid: string | null; readonly at: Instant }
  | { readonly kind: 'pause'; readonly at: Instant }
  | { readonly kind: 'resume'; readonly at: Instant }

type PastTiming = Pick<Check, 'kind' | 'timeoutSeconds' | 'graceSeconds' | 'schedule' | 'tz'>

const SIGNAL: Omit<Signal, 'action' | 'rid'> = {
  exitStatus: null,
  scheme: 'http',
  method: 'GET',
  ua: '',
  remoteAddr: null,
  body: null,
  searched: null,
  mail: null,
}

/**
 * It judges by today's schedule, and takes an outage of the server for silence of the job, because the log tells neither.
 * @param events oldest first
 */
export function pastRuns(timing: PastTiming, createdAt: Instant, events: readonly PastEvent[]): Uint8Array {
  // Without filters, so that each kind means itself.
  let check: Check = { ...newCheck({ id: '', projectId: '', badgeKey: '', publicId: '', createdAt }), ...timing }
  for (const event of events) {
    if (event.kind === 'log' || event.kind === 'ign') continue
    if (event.kind === 'pause') check = pause(check, event.at)?.check ?? check
    else if (event.kind === 'resume') check = resume(check, event.at)?.check ?? check
    else check = { ...check, ...receive(check, { ...SIGNAL, action: event.kind, rid: event.rid }, event.at).check }
  }
  return check.runs
}
