/** The incidents of flips, as far as messages about the flips tell of them. */
import type { Flip } from '../../domain/check/flip.ts'
import { holdBeforeTold, type IncidentStory, lastNote } from '../../domain/incident/story.ts'
import { findIncident, listIncidentEvents } from '../incidents/lists.ts'
import { findSilence } from '../incidents/silences.ts'
import type { Sql } from '../sql/database.ts'

/** @param previous the flip before it @returns null for a flip that neither opened nor ended one, and when it is gone */
export async function findIncidentStory(sql: Sql, flip: Flip, previous: Flip | null): Promise<IncidentStory | null> {
  const first = [flip, previous].find((one) => one?.newStatus === 'down')
  const incident = first ? await findIncident(sql, first) : null
  if (incident === null) return null
  const events = incident.lastN > incident.n ? await listIncidentEvents(sql, incident) : []
  const held = holdBeforeTold(incident, events)
  const silence = held?.why === 'silence' ? await findSilence(sql, held.silenceId) : null
  return { n: incident.n, held, reason: silence?.reason ?? '', note: lastNote(events) }
}
