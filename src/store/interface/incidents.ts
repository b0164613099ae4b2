/** Incidents, and the silences that hold them. */
import type { Incident } from '../../domain/incident/incident.ts'
import type { NotTaken } from '../../domain/incident/take.ts'
import type { Silence } from '../../domain/silence/silence.ts'

/** Names an incident. */
export type IncidentKey = Pick<Incident, 'checkId' | 'n'>

/** An incident as it is stored. */
export interface KeptIncident extends Incident {
  /** number of the newest event that belongs to it: the flip that ended it, or a note that came later */
  readonly lastN: number
  /** grows with each write */
  readonly revision: number
}

/** An incident that is to be looked at, unless it was written since. */
export type DueIncident = Pick<KeptIncident, 'checkId' | 'n' | 'revision'>

/** What a look at incidents has done. */
export interface Looked {
  /** how many nobody else had written since they were found */
  readonly looked: number
  /** true if it wrote a delivery */
  readonly owed: boolean
}

/** What became of an incident that somebody changed. */
export type IncidentChange = NotTaken | { readonly incident: KeptIncident; readonly owed: boolean }

/** A place in the list of the silences that have ended. */
export type SilencePlace = Pick<Silence, 'id' | 'endsAt'>
