/** Reads an incident, and lets members take it, release it and add notes. */
import { type Actor, may, requireRight } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import { Refusal } from '../../domain/errors.ts'
import type { NumberedEvent } from '../../domain/incident/event.ts'
import type { Incident } from '../../domain/incident/incident.ts'
import { eventForReader, incidentFor } from '../../domain/incident/reader.ts'
import type { NotTaken, Taking } from '../../domain/incident/take.ts'
import { byName } from '../../domain/incident/words.ts'
import type { IncidentChange } from '../../store/store.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'
import { rules } from '../common/rules.ts'
import type { IncidentOfCheck } from './list.ts'

type WriteDeps = Pick<Deps, 'store' | 'now' | 'random' | 'transports' | 'log' | 'onDeliveriesCreated'>

/** A check's incident, identified by the number of the flip that opened it. */
export interface NamedIncident {
  readonly check: Check
  readonly n: number
}

/** An incident with its events, oldest first. */
export interface OpenedIncident extends IncidentOfCheck {
  readonly events: readonly NumberedEvent[]
}

/** Returns an incident. For read-only members, email addresses, ping URLs and keys are removed. @throws Refusal `not-found` */
export async function openIncidentOf(
  { store }: Pick<Deps, 'store'>,
  actor: Actor,
  { check, n }: NamedIncident,
): Promise<OpenedIncident> {
  requireRight(actor, 'read', check)
  const incident = existing(await store.incidents.find({ checkId: check.id, n }))
  const events = await store.incidents.listEvents(incident)
  const shown = may(actor, 'write') ? events : events.map(eventForReader)
  return { incident: incidentFor(actor, incident), check, events: shown }
}

/**
 * Takes an incident, or takes it over from another member.
 * @throws Refusal `not-found`, `incident-resolved`; `incident-taken` if another member has already taken the incident, and the caller does
 * not want to take it over
 */
export async function takeIncident(
  deps: WriteDeps,
  actor: Actor,
  named: NamedIncident,
  taking: Omit<Taking, 'by'>,
): Promise<Incident> {
  const { writes, key } = asked(deps, actor, named)
  return done(deps, await writes.incidents.acknowledge(key, taking, rules(deps)))
}

/**
 * Hands back an incident, even one that another member has taken. If no alerts have been sent yet, they are sent now, unless a silence
 * still holds them back.
 * @throws Refusal `not-found`, `incident-resolved`; `incident-free` if nobody has taken the incident
 */
export async function handBackIncident(deps: WriteDeps, actor: Actor, named: NamedIncident): Promise<Incident> {
  const { writes, key } = asked(deps, actor, named)
  return done(deps, await writes.incidents.handBack(key, rules(deps)))
}

/** Adds a note to an incident, which may have ended. @throws Refusal `not-found`, `notes-full` */
export async function noteIncident(deps: WriteDeps, actor: Actor, named: NamedIncident, text: string): Promise<void> {
  const { writes, key } = asked(deps, actor, named)
  const isThere = await writes.incidents.note(key, text, rules(deps))
  if (!isThere) throw new Refusal('not-found', 'not found')
}

function asked(deps: WriteDeps, actor: Actor, { check, n }: NamedIncident) {
  requireRight(actor, 'write', check)
  return { writes: deps.store.by(authorOf(deps, actor.by)), key: { checkId: check.id, n } }
}

/** @throws Refusal if nothing was changed */
function done({ onDeliveriesCreated }: WriteDeps, change: IncidentChange | null): Incident {
  const changed = existing(change)
  if ('refused' in changed) throw refusalOf(changed)
  if (changed.owed) onDeliveriesCreated()
  return changed.incident
}

function existing<Found>(found: Found | null): Found {
  if (found === null) throw new Refusal('not-found', 'not found')
  return found
}

function refusalOf(outcome: NotTaken): Refusal {
  switch (outcome.refused) {
    case 'resolved':
      return new Refusal('incident-resolved', 'the incident has ended')
    case 'free':
      return new Refusal('incident-free', 'nobody is on it')
    case 'taken':
      return new Refusal('incident-taken', `${byName(outcome.by)} is on it: the request must ask to take over`)
  }
}
