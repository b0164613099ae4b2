/** Incidents that end without a flip: their check is cleared or deleted, and nobody is told. One may begin again when a pause is undone. */
import { endIncident } from '../../domain/incident/incident.ts'
import type { Instant } from '../../lib/time.ts'
import type { Sql } from '../sql/database.ts'
import { findOpenIncidents } from './rows.ts'
import { writeEnded } from './writes.ts'

/** Ends the open incident of a check, if it has one. The caller has locked the check. */
export async function endOpenIncident(sql: Sql, checkId: string, at: Instant): Promise<void> {
  const open = [...(await findOpenIncidents(sql, [checkId])).values()]
  await writeEnded(
    sql,
    open.map((incident) => ({ ...incident, ...endIncident(incident, at), revision: incident.revision + 1 })),
  )
}

/** A statement for a check that is deleted: nobody looks at its incident any more, which retention removes with its events. */
export const FORGET_INCIDENT = `
  UPDATE incidents SET next_look_at = NULL
  WHERE check_id = $1 AND n = (SELECT MAX(newest.n) FROM incidents AS newest WHERE newest.check_id = $1)`

const REOPEN = `
  UPDATE incidents SET resolved_at = NULL, last_n = last_n - 1, next_look_at = opened_at, revision = revision + 1
  WHERE check_id = $1 AND last_n = $2 AND resolved_at IS NOT NULL
    AND n = (SELECT MAX(newest.n) FROM incidents AS newest WHERE newest.check_id = $1)`

/** Opens the incident again that a flip ended which is undone. It is looked at next, since it may have to be told by now. */
export async function reopenIncident(sql: Sql, checkId: string, undoneFlip: number): Promise<void> {
  await sql.run(REOPEN, [checkId, undoneFlip])
}
