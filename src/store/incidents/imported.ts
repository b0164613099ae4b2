/**
 * Opens incidents for checks that are down when an import adds them. The incidents are recorded as alerted, because it is not known whether
 * the alerts were held back by a silence in the source.
 */
import type { Flip } from '../../domain/check/flip.ts'
import { endIncident, openIncident } from '../../domain/incident/incident.ts'
import { SHOWN_CHECK } from '../sql/check-rows.ts'
import type { Sql } from '../sql/database.ts'
import { findOpenIncidents } from './rows.ts'
import { insertIncidents, writeEnds } from './writes.ts'

// Selecting the newest event is sufficient, because a check's newest staged event is always a flip.
const OPEN = `
  INSERT INTO incidents (check_id, n, severity, opened_at, last_n, told, told_at, revision)
  SELECT events.check_id, events.n, 'down', events.created_at, events.n, 'down', events.created_at, 0
  FROM checks JOIN staged_logs ON staged_logs.check_id = checks.id
    JOIN events ON events.check_id = staged_logs.check_id AND events.n = staged_logs.n_events
  WHERE checks.project_id = $1 AND checks.status = 'down' AND ${SHOWN_CHECK} AND events.new_status = 'down'`

/** Opens incidents for those of a project's visible checks that are taking over staged logs. */
export async function openStagedIncidents(sql: Sql, projectId: string): Promise<void> {
  await sql.run(OPEN, [projectId])
}

/** Opens and ends incidents for an existing check's imported flips, without alerts. @param flips oldest first */
export async function followImportedFlips(sql: Sql, checkId: string, flips: readonly Flip[]): Promise<void> {
  const [first, last] = [flips[0], flips.at(-1)]
  if (!first || !last) return
  const open = (await findOpenIncidents(sql, [checkId])).get(checkId)
  if (open) {
    const ended = endIncident(open, first.createdAt)
    await writeEnds(sql, [{ ...open, ...ended, lastN: first.n, revision: open.revision + 1 }])
  }
  if (last.newStatus !== 'down') return
  const told = { told: 'down', toldAt: last.createdAt } as const
  await insertIncidents(sql, [{ ...openIncident(last), ...told, lastN: last.n, revision: 0 }])
}
