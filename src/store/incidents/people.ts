/** Changes that members, API keys and commands make to incidents, with their rows in the audit log. */
import { auditedIncident, auditedNote } from '../../domain/audit/incidents.ts'
import { type By, byOf } from '../../domain/author.ts'
import type { Advanced } from '../../domain/incident/advance.ts'
import type { World } from '../../domain/incident/hold.ts'
import type { Incident } from '../../domain/incident/incident.ts'
import { acknowledge, handBack, type NotTaken, noteOn, type Taking } from '../../domain/incident/take.ts'
import type { Instant } from '../../lib/time.ts'
import type { AuditTrail } from '../audit.ts'
import type { IncidentChange, IncidentKey, KeptIncident } from '../interface/incidents.ts'
import type { Rules } from '../interface/rules.ts'
import { type Changing, editsOf, NO_CHANGES } from '../revisions/revisions.ts'
import type { Sql } from '../sql/database.ts'
import { findIncident, listIncidentEvents } from './lists.ts'
import { numberEvents } from './rows.ts'
import { findIncidentChecks, type IncidentCheck, lockSilences } from './world.ts'
import { writeAdvanced, writeEvents } from './writes.ts'

type Decide = (incident: Incident, by: By, world: World, now: Instant) => Advanced | NotTaken

interface Found {
  readonly check: IncidentCheck
  readonly incident: KeptIncident
}

const NONE: Changing<null> = { result: null, changes: NO_CHANGES }

/** Acknowledges an incident for the author. @returns null if the incident does not exist */
export function acknowledgeIncident(
  sql: Sql,
  trail: AuditTrail,
  key: IncidentKey,
  taking: Omit<Taking, 'by'>,
  rules: Pick<Rules, 'deliveriesFor' | 'now'>,
): Promise<Changing<IncidentChange | null>> {
  return changeIncident(sql, trail, key, rules, (incident, by, world, now) =>
    acknowledge(incident, { ...taking, by }, world, now),
  )
}

/**
 * Withdraws an incident's acknowledgement on the author's behalf, even if another member acknowledged it.
 * @returns null if the incident does not exist
 */
export function handBackIncident(
  sql: Sql,
  trail: AuditTrail,
  key: IncidentKey,
  rules: Pick<Rules, 'deliveriesFor' | 'now'>,
): Promise<Changing<IncidentChange | null>> {
  return changeIncident(sql, trail, key, rules, handBack)
}

async function changeIncident(
  sql: Sql,
  trail: AuditTrail,
  key: IncidentKey,
  rules: Pick<Rules, 'deliveriesFor' | 'now'>,
  decide: Decide,
): Promise<Changing<IncidentChange | null>> {
  const found = await lockIncident(sql, key)
  if (found === null) return NONE
  const { check, incident } = found
  const now = rules.now()
  const silencesOf = await lockSilences(sql, [check], now)
  const world = { check, silences: silencesOf(check) }
  const decided = decide(incident, byOf(trail.author), world, now)
  if ('refused' in decided) return { result: decided, changes: NO_CHANGES }
  const written = await writeAdvanced(sql, [{ before: incident, advanced: decided, newest: check.nEvents }], rules)
  const [after = incident] = written.incidents
  await trail.note(auditedIncident(check, incident), auditedIncident(check, after))
  return { result: { incident: after, owed: written.owed }, changes: editOf(check) }
}

// Writes only these columns. Ending a silence does not lock the check, so the time of the next look may have been changed in the meantime.
const COUNT_NOTE = 'UPDATE incidents SET last_n = $3, revision = revision + 1 WHERE check_id = $1 AND n = $2'

/**
 * Adds the author's note to an incident, which may have ended.
 * @returns false if the incident does not exist
 * @throws Refusal `notes-full`
 */
export async function noteIncident(
  sql: Sql,
  trail: AuditTrail,
  key: IncidentKey,
  text: string,
  rules: Pick<Rules, 'now'>,
): Promise<Changing<boolean>> {
  const found = await lockIncident(sql, key)
  if (found === null) return { result: false, changes: NO_CHANGES }
  const { check, incident } = found
  const notes = (await listIncidentEvents(sql, incident)).filter(({ kind }) => kind === 'note')
  const note = noteOn(incident, notes.length, { by: byOf(trail.author), text }, rules.now())
  await writeEvents(sql, numberEvents(incident.n, [note], check.nEvents))
  await sql.run(COUNT_NOTE, [incident.checkId, incident.n, check.nEvents + 1])
  await trail.note(auditedNote(check, incident, null), auditedNote(check, incident, text))
  return { result: true, changes: editOf(check) }
}

async function lockIncident(sql: Sql, key: IncidentKey): Promise<Found | null> {
  await sql.lock('check', [key.checkId])
  const check = (await findIncidentChecks(sql, [key.checkId])).get(key.checkId)
  const incident = await findIncident(sql, key)
  return check && incident ? { check, incident } : null
}

/** Reports the check as edited, because its number of events has changed, and because open pages show who has acknowledged the incident. */
function editOf({ id, projectId }: IncidentCheck) {
  return editsOf([[projectId, [id]]])
}
