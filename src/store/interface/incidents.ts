/** Incidents, and the silences that hold back their alerts. */
import type { Incident } from '../../domain/incident/incident.ts'
import type { NotTaken } from '../../domain/incident/take.ts'
import type { Instant } from '../../lib/time.ts'

/** An incident's key. */
export type IncidentKey = Pick<Incident, 'checkId' | 'n'>

/** An incident as it is stored. */
export interface KeptIncident extends Incident {
  /** number of the newest event that belongs to the incident: the flip that ended it, or a later note */
  readonly lastN: number
  /** increases with each write */
  readonly revision: number
}

/** An incident to examine, unless it has been written since it was found. */
export type DueIncident = Pick<KeptIncident, 'checkId' | 'n' | 'revision'>

/** The result of examining incidents. */
export interface Looked {
  /** number of incidents examined, not counting those that were written by others after they were found */
  readonly looked: number
  /** true if a delivery was written */
  readonly owed: boolean
}

/** The result of a change to an incident. */
export type IncidentChange = NotTaken | { readonly incident: KeptIncident; readonly owed: boolean }

/** Position in the list of ended silences. */
export interface SilencePlace {
  readonly id: string
  readonly endsAt: Instant
}
