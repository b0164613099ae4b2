/** Finds the incidents that flips belong to, for messages about the flips. */
import type { Delivery } from '../../domain/alert/delivery.ts'
import type { FlipContext } from '../../domain/alert/flip-context.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Flip } from '../../domain/check/flip.ts'
import { holdBeforeTold, type IncidentStory, lastNote } from '../../domain/incident/story.ts'
import { findFlip } from '../checks/flips.ts'
import { findIncident, listIncidentEvents } from '../incidents/lists.ts'
import { incidentOf, toEvent } from '../incidents/rows.ts'
import { findSilence } from '../incidents/silences.ts'
import type { Row } from '../sql/columns.ts'
import type { Sql } from '../sql/database.ts'
import { FLIPS } from '../tables/alerts.ts'
import { INCIDENT_EVENTS } from '../tables/incidents.ts'

type ToldEvent = Pick<FlipContext, 'flip' | 'taken'>

const EVENT = 'SELECT * FROM events WHERE check_id = $1 AND n = $2'

/** Finds the flip that a delivery is about. If the delivery is about an acknowledgement, finds the flip that opened the incident. */
export async function findToldEvent(
  sql: Sql,
  { checkId, eventN }: Pick<Delivery, 'checkId' | 'eventN'>,
): Promise<ToldEvent | null> {
  const row = await sql.get<Row>(EVENT, [checkId, eventN])
  if (row === null) return null
  if (row.kind === 'flip') return { flip: FLIPS.read(row), taken: null }
  const stored = INCIDENT_EVENTS.read(row)
  const n = incidentOf(stored)
  const event = toEvent(n, stored)
  const flip = await findFlip(sql, checkId, n)
  if (flip === null || event?.kind !== 'acknowledged') return null
  const { by, until, note, takenFrom } = event
  return { flip, taken: { by, until, note, takenFrom } }
}

/**
 * Finds an incident's story.
 * @param check the flip's check. If it was transferred, the reasons may have been written by members of its former project
 * @param previous the check's previous flip
 * @returns null if the flip neither opened nor ended an incident, or the incident was deleted
 */
export async function findIncidentStory(
  sql: Sql,
  { projectId }: Pick<Check, 'projectId'>,
  flip: Flip,
  previous: Flip | null,
): Promise<IncidentStory | null> {
  const first = [flip, previous].find((one) => one?.newStatus === 'down')
  const incident = first ? await findIncident(sql, first) : null
  if (incident === null) return null
  const events = incident.lastN > incident.n ? await listIncidentEvents(sql, incident) : []
  const held = holdBeforeTold(incident, events)
  const silence = held?.why === 'silence' ? await findSilence(sql, held.silenceId) : null
  const reason = silence?.projectId === projectId ? silence.reason : ''
  // The first alert contains only notes that were written before it was sent. Without this limit, the message would change when it is
  // resent or shown on a page.
  const note = lastNote(events, flip.newStatus === 'down' ? incident.toldAt : null)
  return { n: incident.n, held, reason, note }
}
