/** Actions of people on an incident: they take it, take it over, hand it back and add notes. All require the right to write. */
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
  /** '' for none */
  readonly note: string
  /** null: until the check recovers */
  readonly until: Instant | null
  /** true: takes the incident even if another person is on it */
  readonly takesOver: boolean
}

/**
 * The reason why nothing was changed. `taken`: another person is on the incident, and the request does not take it over. `free`: nobody is
 * on the incident.
 */
export type NotTaken =
  | { readonly refused: 'resolved' | 'free' }
  | { readonly refused: 'taken'; readonly by: By; readonly since: Instant }

/** Takes an incident. The person who is on it may take it again, with another note or end. */
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

/** Whether services that support acknowledgements are notified of an event: a person took an incident that was alerted. */
export function isHeardByServices({ told }: Pick<Incident, 'told'>, { kind }: Pick<IncidentEvent, 'kind'>): boolean {
  return kind === 'acknowledged' && told !== null
}

/**
 * Hands an incident back. Any member who may take it may do that, since the person who took it may be asleep; the event names its author.
 */
export function handBack(incident: Incident, by: By, world: World, now: Instant): Advanced | NotTaken {
  const { checkId, resolvedAt } = incident
  if (resolvedAt !== null) return { refused: 'resolved' }
  if (validAcknowledgement(incident, now) === null) return { refused: 'free' }
  const event: IncidentEvent = { checkId, at: now, kind: 'released', from: 'acknowledgement', by }
  return after(event, { ...incident, acknowledgement: null }, world, now)
}

/** Returns null for an expired acknowledgement, even before `advance` removes it. */
function validAcknowledgement({ acknowledgement }: Incident, now: Instant): Acknowledgement | null {
  return acknowledgement !== null && isLapsed(acknowledgement, now) ? null : acknowledgement
}

function after(event: IncidentEvent, incident: Incident, world: World, now: Instant): Advanced {
  const advanced = advance(incident, world, now)
  return { ...advanced, events: [event, ...advanced.events] }
}

/** Maximum number of notes of an incident. */
const NOTES_LIMIT = 100

/**
 * Returns the event of a note on an incident, which may have ended.
 * @param notes number of its present notes
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
