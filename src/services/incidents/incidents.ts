/** Finds incidents, and does with them what people do: they take one, hand it back and keep notes. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { By } from '../../domain/author.ts'
import { byOf } from '../../domain/author.ts'
import type { Check } from '../../domain/check/check.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Advanced } from '../../domain/incident/advance.ts'
import type { NumberedEvent } from '../../domain/incident/event.ts'
import type { Incident } from '../../domain/incident/incident.ts'
import { acknowledge, handBack, type NotTaken, noteOn, type Taking } from '../../domain/incident/take.ts'
import { byName } from '../../domain/incident/words.ts'
import { isStorable } from '../../lib/text/text.ts'
import type { DecideIncident, IncidentFilter, IncidentOfCheck } from '../../store/store.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'
import { readPages } from '../common/pages.ts'
import { rules } from '../common/rules.ts'

type ReadDeps = Pick<Deps, 'store'>
type WriteDeps = Pick<Deps, 'store' | 'now' | 'random' | 'transports' | 'log' | 'onOwed'>

/** Newest first, page by page. */
export function listIncidents(
  { store }: ReadDeps,
  { project }: Actor,
  filter: IncidentFilter,
): AsyncGenerator<readonly IncidentOfCheck[]> {
  // Nothing that is stored is like that, and some databases refuse to compare with it.
  if (!isStorable(filter.tag ?? '')) return readPages(async () => ({ items: [], next: null }))
  return readPages((after) => store.incidents.list(project.id, filter, after))
}

/** An incident with what happened in it, oldest first. */
export interface OpenedIncident extends IncidentOfCheck {
  readonly entries: readonly NumberedEvent[]
}

/** @param n the number of the flip that opened it @throws Refusal `not-found` */
export async function openIncidentOf(
  { store }: ReadDeps,
  actor: Actor,
  check: Check,
  n: number,
): Promise<OpenedIncident> {
  requireRight(actor, 'read', check)
  const incident = existing(await store.incidents.find(check.id, n))
  return { incident, check, entries: await store.incidents.listEvents(check.id, n) }
}

/**
 * Takes an incident, or takes it over.
 * @throws Refusal `not-found`, `incident-resolved`; `incident-taken` when somebody else is on it
 */
export function takeIncident(
  deps: WriteDeps,
  actor: Actor,
  check: Check,
  n: number,
  taking: Omit<Taking, 'by'>,
): Promise<Incident> {
  return change(deps, actor, check, n, (by) => (incident, world) => {
    return done(acknowledge(incident, { ...taking, by }, world, deps.now()))
  })
}

/** @throws Refusal `not-found`, `incident-resolved`; `incident-free` when nobody is on it */
export function handBackIncident(deps: WriteDeps, actor: Actor, check: Check, n: number): Promise<Incident> {
  return change(deps, actor, check, n, (by) => (incident, world) => done(handBack(incident, by, world, deps.now())))
}

/** Leaves a note, also on an incident that has ended. @throws Refusal `not-found` */
export function noteIncident(deps: WriteDeps, actor: Actor, check: Check, n: number, text: string): Promise<Incident> {
  return change(deps, actor, check, n, (by) => (incident) => {
    return { incident, tellings: [], events: [noteOn(incident, by, text, deps.now())] }
  })
}

async function change(
  deps: WriteDeps,
  actor: Actor,
  check: Check,
  n: number,
  decideAs: (by: By) => DecideIncident,
): Promise<Incident> {
  requireRight(actor, 'write', check)
  const author = authorOf(deps, actor.by)
  const writes = deps.store.by(author)
  const { incident, owed } = existing(await writes.incidents.change(check.id, n, decideAs(byOf(author)), rules(deps)))
  if (owed) deps.onOwed()
  return incident
}

function existing<Found>(found: Found | null): Found {
  if (found === null) throw new Refusal('not-found', 'not found')
  return found
}

/** @throws Refusal for what was not taken */
function done(outcome: Advanced | NotTaken): Advanced {
  if (!('refused' in outcome)) return outcome
  switch (outcome.refused) {
    case 'resolved':
      throw new Refusal('incident-resolved', 'the incident has ended')
    case 'free':
      throw new Refusal('incident-free', 'nobody is on it')
    case 'taken':
      throw new Refusal('incident-taken', `${byName(outcome.by)} is on it: taking over has to be asked for`)
  }
}
