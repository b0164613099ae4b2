/** Reads incidents. Leaves out incidents from before their check was cleared. */
import type { NumberedEvent } from '../../domain/incident/event.ts'
import type { IncidentKey, KeptIncident } from '../interface/incidents.ts'
import { markOf, type Page, type PageMark, toPage } from '../pages.ts'
import { CHECKS } from '../sql/check-rows.ts'
import type { Row } from '../sql/columns.ts'
import type { Sql } from '../sql/database.ts'
import { FLIPS } from '../tables/alerts.ts'
import { INCIDENT_EVENTS, INCIDENTS } from '../tables/incidents.ts'
import { findOpenIncidents, toEvent, toIncident } from './rows.ts'

/** SQL condition that is true if an incident's check exists and was not cleared after the incident. */
const SHOWN = `EXISTS (SELECT 1 FROM ${CHECKS} WHERE checks.id = incidents.check_id)
  AND incidents.n > COALESCE((SELECT MAX(n_events) FROM cleared_checks WHERE cleared_checks.check_id = incidents.check_id), 0)`

const FIND_INCIDENT = `SELECT * FROM incidents WHERE check_id = $1 AND n = $2 AND ${SHOWN}`

export async function findIncident(sql: Sql, { checkId, n }: IncidentKey): Promise<KeptIncident | null> {
  const found = await INCIDENTS.get(sql, FIND_INCIDENT, [checkId, n])
  return found && toIncident(found)
}

export const LIST_INCIDENTS = `
  SELECT * FROM incidents WHERE check_id = $1 AND n < $2 AND ${SHOWN} ORDER BY n DESC LIMIT $3`

/**
 * Returns a check's incidents, newest first.
 * @param before number of an incident; only earlier ones are returned. null to start with the newest
 */
export async function listIncidents(
  sql: Sql,
  checkId: string,
  before: number | null,
  limit: number,
): Promise<KeptIncident[]> {
  const values = [checkId, before ?? Number.MAX_SAFE_INTEGER, limit]
  return (await INCIDENTS.all(sql, LIST_INCIDENTS, values)).map(toIncident)
}

/** Returns the newest incident of each of these checks. Leaves out checks without incidents. */
export async function listNewestIncidents(sql: Sql, checkIds: readonly string[]): Promise<KeptIncident[]> {
  const values = checkIds.map((id) => [id, Number.MAX_SAFE_INTEGER, 1])
  const found = await INCIDENTS.getEach(sql, LIST_INCIDENTS, values)
  return found.filter((incident) => incident !== null).map(toIncident)
}

// The newest incident of a check that is down is the open one, if there is an open one.
export const OPEN_INCIDENTS = `
  SELECT incidents.* FROM checks JOIN incidents ON incidents.check_id = checks.id
    AND incidents.n = (SELECT MAX(newest.n) FROM incidents AS newest WHERE newest.check_id = checks.id)
  WHERE checks.project_id = $1 AND checks.status = 'down' AND checks.counter_id > 0 AND incidents.resolved_at IS NULL
  ORDER BY checks.project_id, checks.created_at`

/** Returns a project's open incidents, in the order of its checks. */
export async function listOpenIncidents(sql: Sql, projectId: string): Promise<KeptIncident[]> {
  return (await INCIDENTS.all(sql, OPEN_INCIDENTS, [projectId])).map(toIncident)
}

/** Number of checks whose incidents are read at a time, which takes a few milliseconds. */
const DOWN_AT_ONCE = 500
export const DOWN_CHECKS = `
  SELECT id, created_at FROM checks
  WHERE project_id = $1 AND status = 'down' AND counter_id > 0 AND created_at > $2
  ORDER BY created_at LIMIT ${DOWN_AT_ONCE}`

/**
 * Returns a project's open incidents for which no alert was sent, in the order of its checks. An empty page is not necessarily the last
 * one.
 */
export async function listUntoldIncidents(
  sql: Sql,
  projectId: string,
  after: PageMark | null,
): Promise<Page<KeptIncident>> {
  const downs = await sql.all<{ id: string; created_at: number }>(DOWN_CHECKS, [projectId, markOf(after)])
  const ids = downs.map(({ id }) => id)
  const open = await findOpenIncidents(sql, ids)
  const untold = [...open.values()].filter(({ told }) => told === null)
  return toPage(downs, DOWN_AT_ONCE, untold, ({ created_at }) => created_at)
}

export const END_OF_INCIDENT = `
  SELECT n FROM events WHERE check_id = $1 AND n > $2 AND n < $3 AND kind = 'flip' ORDER BY n LIMIT 1`
export const EVENTS_OF_INCIDENT = 'SELECT * FROM events WHERE check_id = $1 AND n >= $2 AND n <= $3 ORDER BY n'
// The detail of an event begins with the incident's number.
export const LATER_NOTES = `
  SELECT * FROM events WHERE check_id = $1 AND n > $2 AND n <= $3 AND kind = 'note' AND detail LIKE $4 ORDER BY n`

/**
 * Returns an incident's events, oldest first: the flip that opened it, events while it was open, the flip that ended it, and later notes.
 * Other later events of its check are not read, because there may be very many.
 */
export async function listIncidentEvents(
  sql: Sql,
  { checkId, n, lastN }: Pick<KeptIncident, 'checkId' | 'n' | 'lastN'>,
): Promise<NumberedEvent[]> {
  const end = await sql.get<{ n: number }>(END_OF_INCIDENT, [checkId, n, lastN])
  const rows = await sql.all<Row>(EVENTS_OF_INCIDENT, [checkId, n, end?.n ?? lastN])
  const later = end && (await sql.all<Row>(LATER_NOTES, [checkId, end.n, lastN, `{"incident":${n},%`]))
  return [...rows, ...(later ?? [])].flatMap((row) => eventOf(n, row) ?? [])
}

/** @returns null for an event of another incident */
function eventOf(n: number, row: Row): NumberedEvent | null {
  return row.kind === 'flip' ? { ...FLIPS.read(row), kind: 'flip' } : toEvent(n, INCIDENT_EVENTS.read(row))
}

const NOTES = `SELECT 1 FROM events WHERE check_id = $1 AND n > $2 AND kind IN ('acknowledged', 'note') LIMIT 1`

/** Returns whether members have added notes or acknowledgements to a check after event number `after`. */
export async function hasNotes(sql: Sql, checkId: string, after: number): Promise<boolean> {
  return (await sql.get(NOTES, [checkId, after])) !== null
}
