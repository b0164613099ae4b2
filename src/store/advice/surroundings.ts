/** Reads data about all of a project's checks: their time zones, and each check's last ping. */
import { fromMicroseconds } from '../../lib/time.ts'
import type { LastPing, ProjectZones } from '../interface/advice.ts'
import { markOf, type Page, type PageMark, toPage } from '../pages.ts'
import { CHECKS } from '../sql/check-rows.ts'
import type { Database, Sql } from '../sql/database.ts'

const CHECKS_COUNTED = 1_000
/** Selects the time zones of the next few checks, in order of creation. */
export const SOME_ZONES = `
  SELECT tz, COUNT(CASE WHEN kind <> 'simple' THEN 1 END) AS schedules, COUNT(*) AS checks, MAX(created_at) AS last
  FROM (
    SELECT tz, kind, created_at FROM checks WHERE project_id = $1 AND created_at > $2
    ORDER BY created_at LIMIT ${CHECKS_COUNTED}
  ) AS counted GROUP BY tz`
const OWNER_ZONE = `
  SELECT accounts.tz FROM members JOIN accounts ON accounts.id = members.account_id
  WHERE members.project_id = $1 AND members.role = 'owner' LIMIT 1`

/** @param read called for up to 1,000 checks at a time, because a single read of a large project's checks would delay pings */
export async function findZones(read: Database['read'], projectId: string): Promise<ProjectZones> {
  type Row = { tz: string; schedules: number; checks: number; last: number }
  const schedules = new Map<string, number>()
  let [counted, after] = [0, markOf(null)]
  do {
    const from = after
    const rows = await read((sql) => sql.all<Row>(SOME_ZONES, [projectId, from]))
    counted = 0
    for (const { tz, schedules: found, checks, last } of rows) {
      if (found > 0) schedules.set(tz, (schedules.get(tz) ?? 0) + found)
      counted += checks
      after = Math.max(after, last)
    }
  } while (counted === CHECKS_COUNTED)
  const owner = await read((sql) => sql.get<{ tz: string }>(OWNER_ZONE, [projectId]))
  return { schedules, owner: owner?.tz ?? null }
}

const CHECKS_PER_PAGE = 500
export const LIST_LAST = `
  SELECT id, name, created_at, last_ping_at FROM ${CHECKS} WHERE project_id = $1 AND created_at > $2
  ORDER BY created_at LIMIT ${CHECKS_PER_PAGE}`

/** Lists the last ping of each check in a project, in order of creation. An empty page is not necessarily the last one. */
export async function listLastPings(sql: Sql, projectId: string, after: PageMark | null): Promise<Page<LastPing>> {
  type Row = { id: string; name: string; created_at: number; last_ping_at: number | null }
  const rows = await sql.all<Row>(LIST_LAST, [projectId, markOf(after)])
  const items = rows.flatMap(({ id, name, last_ping_at }): LastPing[] =>
    last_ping_at === null ? [] : [{ checkId: id, name, at: fromMicroseconds(last_ping_at) }],
  )
  return toPage(rows, CHECKS_PER_PAGE, items, (row) => row.created_at)
}
