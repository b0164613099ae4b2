/** Decides which alerts about an incident are sent, and when the incident is examined next. */
import { earlier, type Instant, isBefore } from '../../lib/time.ts'
import { covers, type Severity } from '../severity.ts'
import { isLapsed } from './acknowledgement.ts'
import type { IncidentEvent } from './event.ts'
import { type Hold, holdOf, type World } from './hold.ts'
import type { Incident } from './incident.ts'

/** An alert to all channels that are assigned to the check when the alert is created. */
export interface Telling {
  /** number of the event that the alert reports; the event may be old */
  readonly eventN: number
  readonly news: Severity | 'up'
}

export interface Advanced {
  /** the incident after this step */
  readonly incident: Incident
  readonly tellings: readonly Telling[]
  readonly events: readonly IncidentEvent[]
}

/**
 * Sends the alerts about an incident unless a hold applies. It is called in the transaction of every event that changes the incident, and
 * again at `nextLookAt`. A hold that begins after an alert was sent does not retract the alert, and the alert is not repeated when that
 * hold ends.
 */
export function advance(given: Incident, world: World, now: Instant): Advanced {
  if (given.resolvedAt !== null) return { incident: given, tellings: [], events: [] }
  const { incident, events } = withoutLapsed(given, now)
  const acknowledgedUntil = incident.acknowledgement?.until ?? null
  if (isTold(incident)) return { incident: { ...incident, nextLookAt: acknowledgedUntil }, tellings: [], events }
  const hold = holdOf(incident.acknowledgement, incident.severity, world, now)
  const changes = [...events, ...changesOfHold(incident, hold, now)]
  if (hold !== null) {
    const nextLookAt = earlier(hold.until, acknowledgedUntil)
    return { incident: { ...incident, held: hold, nextLookAt }, tellings: [], events: changes }
  }
  const { n, severity } = incident
  return {
    incident: { ...incident, told: severity, toldAt: now, held: null, nextLookAt: acknowledgedUntil },
    tellings: [{ eventN: n, news: severity }],
    events: changes,
  }
}

function withoutLapsed(incident: Incident, now: Instant): Pick<Advanced, 'incident' | 'events'> {
  const { checkId, acknowledgement } = incident
  if (acknowledgement === null || !isLapsed(acknowledgement, now)) return { incident, events: [] }
  return {
    incident: { ...incident, acknowledgement: null },
    events: [{ checkId, at: now, kind: 'released', from: 'acknowledgement', by: null }],
  }
}

function isTold({ told, severity }: Incident): boolean {
  return told !== null && covers(told, severity)
}

/**
 * Returns the events to record when a different silence, or none, holds the alert back. Acknowledgements are not included, because the
 * user's request creates their events. Extending a silence does not create an event, because a job may extend its silence every minute. The
 * start of a silence's next window does create one.
 */
function changesOfHold({ checkId, held }: Incident, hold: Hold | null, now: Instant): readonly IncidentEvent[] {
  const event = { checkId, at: now }
  if (hold?.why === 'silence') {
    const { silenceId, until } = hold
    const isProlonged = held?.why === 'silence' && held.silenceId === silenceId && isBefore(now, held.until)
    return isProlonged ? [] : [{ ...event, kind: 'held', silenceId, until }]
  }
  return hold === null && held?.why === 'silence' ? [{ ...event, kind: 'released', from: 'silence', by: null }] : []
}
