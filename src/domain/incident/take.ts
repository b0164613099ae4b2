/**
 * Users' actions on an incident: acknowledging it, taking it over, handing it back and adding notes. All of them require the right to
 * write.
 */
import type { Instant } from '../../lib/time.ts'
import { type By, isSameBy } from '../author.ts'
import { Refusal } from '../errors.ts'
import { type Acknowledgement, isLapsed } from './acknowledgement.ts'
import { type Advanced, advance } from './advance.ts'
import type { IncidentEvent } from './event.ts'
import type { World } from './hold.ts'
import type { Incident } from './incident.ts'

export interface Taking {
  readonly by: By
  /** the user's note; '' if there is none */
  readonly note: string
  /** end of the acknowledgement; null: it ends when the check recovers */
  readonly until: Instant | null
  /** true: take the incident over if another user is on it */
  readonly takesOver: boolean
}

/**
 * Reason why an action had no effect. `taken`: another user is on the incident, and the request does not take it over. `free`: nobody is on
 * the incident.
 */
export type NotTaken =
  | { readonly refused: 'resolved' | 'free' }
  | { readonly refused: 'taken'; readonly by: By; readonly since: Instant }

/** Acknowledges an incident. A user who has already acknowledged it may do so again to change the note or the end. */
export function acknowledge(incident: Incident, taking: Taking, world: World, now: Instant): Advanced | NotTaken {
  if (incident.resolvedAt !== null) return { refused: 'resolved' }
  const { by, note, until } = taking
  const { checkId, severity } = incident
  const before = validAcknowledgement(incident, now)
  const isOther = before !== null && !isSameBy(before.by, by)
  if (isOther && !taking.takesOver) return { refused: 'taken', by: before.by, since: before.at }
  const at = before === null || isOther ? now : before.at
  const takenFrom = isOther ? before.by : null
  const event: IncidentEvent = { checkId, at: now, kind: 'acknowledged', by, until, note, takenFrom }
  return after(event, { ...incident, acknowledgement: { at, by, until, note, severity } }, world, now)
}

/**
 * Whether services that support acknowledgements are notified of an event. They are if a user acknowledged an incident about which an alert
 * was sent.
 */
export function isHeardByServices({ told }: Pick<Incident, 'told'>, { kind }: Pick<IncidentEvent, 'kind'>): boolean {
  return kind === 'acknowledged' && told !== null
}

/**
 * Ends an incident's acknowledgement. Any member with the right to write may do this, because the user who took the incident may be asleep.
 * The event records who did it.
 */
export function handBack(incident: Incident, by: By, world: World, now: Instant): Advanced | NotTaken {
  const { checkId, resolvedAt } = incident
  if (resolvedAt !== null) return { refused: 'resolved' }
  if (validAcknowledgement(incident, now) === null) return { refused: 'free' }
  const event: IncidentEvent = { checkId, at: now, kind: 'released', from: 'acknowledgement', by }
  return after(event, { ...incident, acknowledgement: null }, world, now)
}

/** Returns the acknowledgement, or null if it has expired, even if `advance` has not removed it yet. */
function validAcknowledgement({ acknowledgement }: Incident, now: Instant): Acknowledgement | null {
  return acknowledgement !== null && isLapsed(acknowledgement, now) ? null : acknowledgement
}

function after(event: IncidentEvent, incident: Incident, world: World, now: Instant): Advanced {
  const advanced = advance(incident, world, now)
  return { ...advanced, events: [event, ...advanced.events] }
}

/** Maximum number of notes per incident. */
const NOTES_LIMIT = 100

/**
 * Returns the event for a new note. Notes can still be added after the incident has ended.
 * @param notes number of notes that the incident already has
 * @throws Refusal `notes-full`
 */
export function noteOn(
  { checkId }: Pick<Incident, 'checkId'>,
  notes: number,
  { by, text }: { readonly by: By; readonly text: string },
  now: Instant,
): IncidentEvent {
  if (notes < NOTES_LIMIT) return { checkId, at: now, kind: 'note', by, text }
  throw new Refusal('notes-full', `the incident has ${NOTES_LIMIT} notes, and accepts no more`, {
    limit: NOTES_LIMIT,
  })
}
