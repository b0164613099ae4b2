/** Incidents as they are read, without those that were cleared with their check. */
import type { NumberedEvent } from '../../domain/incident/event.ts'
import { fromMicroseconds, Temporal, toMicroseconds } from '../../lib/time.ts'
import type { IncidentKey, IncidentPage, IncidentPlace, KeptIncident } from '../interface/incidents.ts'
import { CHECKS } from '../sql/check-rows.ts'
import type { Row } from '../sql/columns.ts'
import type { Sql } from '../sql/database.ts'
import { FLIPS } from '../tables/alerts.ts'
import { INCIDENT_EVENTS, INCIDENTS } from '../tables/incidents.ts'
import { toEvent, toIncident } from './rows.ts'

/** True of one whose check is there and was not cleared since. */
const SHOWN = `EXISTS (SELECT 1 FROM ${CHECKS} WHERE checks.id = incidents.check_id)
  AND incidents.n > COALESCE((SELECT MAX(n_events) FROM cleared_checks WHERE cleared_checks.check_id = incidents.check_id), 0)`

const FIND_INCIDENT = `SELECT * FROM incidents WHERE check_id = $1 AND n = $2 AND ${SHOWN}`

export async function findIncident(sql: Sql, { checkId, n }: IncidentKey): Promise<KeptIncident | null> {
  const found = await INCIDENTS.get(sql, FIND_INCIDENT, [checkId, n])
  return found && toIncident(found)
}

const LIST_INCIDENTS = `
  SELECT * FROM incidents WHERE check_id = $1 AND n < $2 AND ${SHOWN} ORDER BY n DESC LIMIT $3`

/** Incidents of a check, newest first. @param before number of the one after these; null: the newest */
export async function listIncidents(
  sql: Sql,
  checkId: string,
  before: number | null,
  limit: number,
): Promise<KeptIncident[]> {
  const values = [checkId, before ?? Number.MAX_SAFE_INTEGER, limit]
  return (await INCIDENTS.all(sql, LIST_INCIDENTS, values)).map(toIncident)
}

const READ_AT_ONCE = 500
// An incident has the check, the number and the time of the flip that opened it, and that has an index.
export const DOWNS_BY_AGE = `
  SELECT check_id, n, created_at FROM events
  WHERE created_at <= $1 AND new_status = 'down' AND (created_at < $1 OR check_id < $2 OR (check_id = $2 AND n < $3))
  ORDER BY created_at DESC, check_id DESC, n DESC LIMIT ${READ_AT_ONCE}`
const FIND_OF_PROJECT = `
  SELECT * FROM incidents WHERE check_id = $1 AND n = $2 AND ${SHOWN}
    AND EXISTS (SELECT 1 FROM checks WHERE checks.id = incidents.check_id AND checks.project_id = $3)`

/**
 * Incidents of a project, newest first. Each call looks at so many of all projects, and so takes a bounded time: a page may be empty.
 * @param after null: the newest
 */
export async function listIncidentsByAge(
  sql: Sql,
  projectId: string,
  after: IncidentPlace | null,
): Promise<IncidentPage> {
  const from = after === null ? Number.MAX_SAFE_INTEGER : toMicroseconds(after.openedAt)
  const downs = await sql.all<{ check_id: string; n: number; created_at: number }>(DOWNS_BY_AGE, [
    from,
    after?.checkId ?? '',
    after?.n ?? 0,
  ])
  const found = await INCIDENTS.getEach(
    sql,
    FIND_OF_PROJECT,
    downs.map(({ check_id, n }) => [check_id, n, projectId]),
  )
  const last = downs.length < READ_AT_ONCE ? undefined : downs.at(-1)
  return {
    incidents: found.filter((incident) => incident !== null).map(toIncident),
    next: last === undefined ? null : placeOf(last),
  }
}

function placeOf(row: { readonly check_id: string; readonly n: number; readonly created_at: number }): IncidentPlace {
  return { checkId: row.check_id, n: row.n, openedAt: fromMicroseconds(row.created_at) }
}

// A check that is down has its open incident at the end of those that it had, if it has one.
export const OPEN_INCIDENTS = `
  SELECT incidents.* FROM checks JOIN incidents ON incidents.check_id = checks.id
    AND incidents.n = (SELECT MAX(newest.n) FROM incidents AS newest WHERE newest.check_id = checks.id)
  WHERE checks.project_id = $1 AND checks.status = 'down' AND checks.counter_id > 0 AND incidents.resolved_at IS NULL
  ORDER BY checks.project_id, checks.created_at`

/** The open incidents of a project, in the order of its checks. */
export async function listOpenIncidents(sql: Sql, projectId: string): Promise<KeptIncident[]> {
  return (await INCIDENTS.all(sql, OPEN_INCIDENTS, [projectId])).map(toIncident)
}

/** Bounds what one look costs when very many checks of a project are down. */
const DOWN_SEARCHED = 1_000
export const UNTOLD_INCIDENTS = `
  SELECT incidents.* FROM (
    SELECT id FROM checks WHERE project_id = $1 AND status = 'down' AND counter_id > 0 LIMIT ${DOWN_SEARCHED}
  ) AS downs JOIN incidents ON incidents.check_id = downs.id
    AND incidents.n = (SELECT MAX(newest.n) FROM incidents AS newest WHERE newest.check_id = downs.id)
  WHERE incidents.resolved_at IS NULL AND incidents.told IS NULL`

/** Open incidents of a project that nobody was told of, newest first, among those of its first 1,000 checks that are down. */
export async function listUntoldIncidents(sql: Sql, projectId: string, limit: number): Promise<KeptIncident[]> {
  const untold = (await INCIDENTS.all(sql, UNTOLD_INCIDENTS, [projectId])).map(toIncident)
  return untold.toSorted((a, b) => Temporal.Instant.compare(b.openedAt, a.openedAt)).slice(0, limit)
}

export const END_OF_INCIDENT = `
  SELECT n FROM events WHERE check_id = $1 AND n > $2 AND n < $3 AND kind = 'flip' ORDER BY n LIMIT 1`
export const EVENTS_OF_INCIDENT = 'SELECT * FROM events WHERE check_id = $1 AND n >= $2 AND n <= $3 ORDER BY n'
// What is stored begins with the number of the incident.
export const LATER_NOTES = `
  SELECT * FROM events WHERE check_id = $1 AND n > $2 AND n <= $3 AND kind = 'note' AND detail LIKE $4 ORDER BY n`

/**
 * The events of an incident, oldest first: the flip that opened it, what came while it was open, the flip that ended it, and notes that
 * came later. The other events that its check has had since may be very many, and stay in the database.
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

/** Whether people have left anything among the events of a check after this number. */
export async function hasNotes(sql: Sql, checkId: string, after: number): Promise<boolean> {
  return (await sql.get(NOTES, [checkId, after])) !== null
}
