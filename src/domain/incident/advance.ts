/** Decides which alerts an incident sends, and when it is examined next. */
import { earlier, type Instant, isBefore } from '../../lib/time.ts'
import { covers, type Severity } from '../severity.ts'
import { isLapsed } from './acknowledgement.ts'
import type { IncidentEvent } from './event.ts'
import { type Hold, holdOf, type World } from './hold.ts'
import type { Incident } from './incident.ts'

/** An alert to all channels that the check has at the time. */
export interface Telling {
  /** number of the event that the alert is about, even if the event is old */
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
 * Sends the alerts about an incident unless something holds them. It is called in the transaction of every event that changes the incident,
 * and at its `nextLookAt`. A hold that begins later does not retract an alert, and when that hold ends, the alert is not repeated.
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
 * Returns the events of a change in silences. Acknowledgements are not included, because the person's request creates their events. A
 * silence that is extended creates no event, because a job may extend its silence every minute. A silence that begins its next window does.
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
