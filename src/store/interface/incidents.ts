/** Incidents, and the silences that hold them. */
import type { Incident } from '../../domain/incident/incident.ts'
import type { NotTaken } from '../../domain/incident/take.ts'
import type { Instant } from '../../lib/time.ts'

/** The key of an incident. */
export type IncidentKey = Pick<Incident, 'checkId' | 'n'>

/** An incident as it is stored. */
export interface KeptIncident extends Incident {
  /** number of the newest event that belongs to it: the flip that ended it, or a later note */
  readonly lastN: number
  /** grows with each write */
  readonly revision: number
}

/** An incident to examine, unless it was written since. */
export type DueIncident = Pick<KeptIncident, 'checkId' | 'n' | 'revision'>

/** The result of a look at incidents. */
export interface Looked {
  /** number of incidents that nobody else had written since they were found */
  readonly looked: number
  /** true if it wrote a delivery */
  readonly owed: boolean
}

/** The result of a change of an incident. */
export type IncidentChange = NotTaken | { readonly incident: KeptIncident; readonly owed: boolean }

/** A position in the list of ended silences. */
export interface SilencePlace {
  readonly id: string
  readonly endsAt: Instant
}
