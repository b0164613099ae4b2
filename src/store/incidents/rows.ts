/** Converts incidents and their events to rows and back. */
import type { IncidentEvent } from '../../domain/incident/event.ts'
import type { Hold } from '../../domain/incident/hold.ts'
import { Temporal } from '../../lib/time.ts'
import type { KeptIncident } from '../interface/incidents.ts'
import type { Sql } from '../sql/database.ts'
import { INCIDENTS, type StoredHold, type StoredIncident, type StoredIncidentEvent } from '../tables/incidents.ts'

export function toIncident({ held, ...rest }: StoredIncident): KeptIncident {
  return { ...rest, held: held && toHold(held) }
}

function toHold({ why, silenceId, until }: StoredHold): Hold {
  if (why === 'silence' && silenceId !== null && until !== null) return { why, silenceId, until }
  return { why: 'acknowledgement', until }
}

export function toStored({ held, ...rest }: KeptIncident): StoredIncident {
  const silenceId = held?.why === 'silence' ? held.silenceId : null
  return { ...rest, held: held && { why: held.why, silenceId, until: held.until } }
}

export const NEWEST_INCIDENT = 'SELECT * FROM incidents WHERE check_id = $1 ORDER BY n DESC LIMIT 1'

/** Returns the checks' open incidents, keyed by check id. */
export async function findOpenIncidents(
  sql: Sql,
  checkIds: readonly string[],
): Promise<ReadonlyMap<string, KeptIncident>> {
  const newest = await INCIDENTS.getEach(
    sql,
    NEWEST_INCIDENT,
    checkIds.map((id) => [id]),
  )
  const open = newest.filter((incident) => incident !== null).filter(({ resolvedAt }) => resolvedAt === null)
  return new Map(open.map((incident) => [incident.checkId, toIncident(incident)]))
}

/** Returns an incident's events with their numbers. @param newest number of the check's newest event so far */
export function numberEvents(n: number, events: readonly IncidentEvent[], newest: number): StoredIncidentEvent[] {
  return events.map(({ checkId, at, kind, ...rest }, index) => ({
    checkId,
    n: newest + index + 1,
    createdAt: at,
    kind,
    detail: JSON.stringify({ incident: n, ...rest }),
  }))
}

/**
 * An event's stored detail. It includes the incident's number, because a note may be added to an ended incident while the next one is open.
 */
interface Detail {
  readonly incident: number
  /** a timestamp, stored as a string */
  readonly until?: string | null
}

/** Returns the number of the incident to which an event belongs. */
export function incidentOf({ detail }: Pick<StoredIncidentEvent, 'detail'>): number {
  const { incident }: Detail = JSON.parse(detail)
  return incident
}

/** @returns null for an event of another incident */
export function toEvent(
  n: number,
  { detail, createdAt, ...stored }: StoredIncidentEvent,
): (IncidentEvent & { readonly n: number }) | null {
  const { incident, until, ...rest }: Detail = JSON.parse(detail)
  if (incident !== n) return null
  const end = until === undefined ? {} : { until: until === null ? null : Temporal.Instant.from(until) }
  return { ...stored, at: createdAt, ...rest, ...end } as IncidentEvent & { readonly n: number }
}
