/** Surroundings of the checks of a project: zones, and when each was pinged last. */
import { fromMicroseconds } from '../../lib/time.ts'
import type { LastPing, ProjectZones } from '../interface/advice.ts'
import { markOf, type Page, type PageMark, toPage } from '../pages.ts'
import { CHECKS } from '../sql/check-rows.ts'
import type { Sql } from '../sql/database.ts'

const ZONES = `SELECT tz, COUNT(*) AS count FROM checks WHERE project_id = $1 AND kind <> 'simple' GROUP BY tz`
const OWNER_ZONE = `
  SELECT accounts.tz FROM members JOIN accounts ON accounts.id = members.account_id
  WHERE members.project_id = $1 AND members.role = 'owner' LIMIT 1`

export async function findZones(sql: Sql, projectId: string): Promise<ProjectZones> {
  const rows = await sql.all<{ tz: string; count: number }>(ZONES, [projectId])
  const owner = await sql.get<{ tz: string }>(OWNER_ZONE, [projectId])
  return { schedules: new Map(rows.map(({ tz, count }) => [tz, count])), owner: owner?.tz ?? null }
}

const CHECKS_PER_PAGE = 500
export const LIST_LAST = `
  SELECT id, name, created_at, last_ping_at FROM ${CHECKS} WHERE project_id = $1 AND created_at > $2
  ORDER BY created_at LIMIT ${CHECKS_PER_PAGE}`

/** The last pings of the checks of a project, in order of creation. A page may be empty without being the last. */
export async function listLastPings(sql: Sql, projectId: string, after: PageMark | null): Promise<Page<LastPing>> {
  type Row = { id: string; name: string; created_at: number; last_ping_at: number | null }
  const rows = await sql.all<Row>(LIST_LAST, [projectId, markOf(after)])
  const items = rows.flatMap(({ id, name, last_ping_at }): LastPing[] =>
    last_ping_at === null ? [] : [{ checkId: id, name, at: fromMicroseconds(last_ping_at) }],
  )
  return toPage(rows, CHECKS_PER_PAGE, items, (row) => row.created_at)
}
