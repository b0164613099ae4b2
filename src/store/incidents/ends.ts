/** Ends incidents without a flip or an alert when their check is cleared or deleted. Also reopens an incident when a pause is undone. */
import { endIncident, reopen } from '../../domain/incident/incident.ts'
import type { Instant } from '../../lib/time.ts'
import type { Sql } from '../sql/database.ts'
import { INCIDENTS } from '../tables/incidents.ts'
import { listIncidentEvents } from './lists.ts'
import { findOpenIncidents, NEWEST_INCIDENT, toIncident } from './rows.ts'
import { writeEnds } from './writes.ts'

/** Ends the check's open incident if there is one. The caller must have locked the check. */
export async function endOpenIncident(sql: Sql, checkId: string, at: Instant): Promise<void> {
  const open = [...(await findOpenIncidents(sql, [checkId])).values()]
  await writeEnds(
    sql,
    open.map((incident) => ({ ...incident, ...endIncident(incident, at), revision: incident.revision + 1 })),
  )
}

/** Removes the hold on a deleted check's incident, and cancels further looks at it. Retention removes the incident with its events. */
export const FORGET_INCIDENT = `
  UPDATE incidents SET held_why = NULL, held_by = NULL, held_until = NULL, next_look_at = NULL, revision = revision + 1
  WHERE check_id = $1 AND n = (SELECT MAX(newest.n) FROM incidents AS newest WHERE newest.check_id = $1)`

/** Reopens the incident that a flip ended, when the flip is undone. The caller must have locked the check. */
export async function reopenIncident(sql: Sql, checkId: string, undoneFlip: number): Promise<void> {
  const ended = await INCIDENTS.get(sql, NEWEST_INCIDENT, [checkId])
  if (ended?.lastN !== undoneFlip || ended.resolvedAt === null) return
  const events = await listIncidentEvents(sql, { ...ended, lastN: undoneFlip - 1 })
  const lastN = events.at(-1)?.n ?? ended.n
  await writeEnds(sql, [{ ...ended, ...reopen(toIncident(ended), events), lastN, revision: ended.revision + 1 }])
}
