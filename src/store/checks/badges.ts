/** Reads the data that badges show. Each function runs a single query, and reads only the columns that determine a check's status. */
import type { BadgeCheck } from '../../domain/badge/status.ts'
import { markOf, type Page, type PageMark, toPage } from '../pages.ts'
import { CHECKS, type CheckRow } from '../sql/check-rows.ts'
import type { Sql } from '../sql/database.ts'
import { instantOrNull } from '../sql/rows.ts'

type BadgeRow = Pick<
  CheckRow,
  | 'created_at'
  | 'status'
  | 'kind'
  | 'timeout_seconds'
  | 'grace_seconds'
  | 'schedule'
  | 'tz'
  | 'last_ping_at'
  | 'last_start_at'
  | 'spared_until'
  | 'name'
  | 'tags'
>

const COLUMNS = `
  checks.created_at, checks.status, checks.kind, checks.timeout_seconds, checks.grace_seconds, checks.schedule, checks.tz,
  counters.last_ping_at, counters.last_start_at, counters.spared_until, checks.name, checks.tags`

const CHECKS_PER_PAGE = 500

export const LIST_BADGE_CHECKS = `
  SELECT ${COLUMNS} FROM projects JOIN checks ON checks.project_id = projects.id JOIN counters USING (counter_id)
  WHERE projects.badge_key = $1 AND checks.created_at > $2
  ORDER BY checks.created_at LIMIT ${CHECKS_PER_PAGE}`
export const FIND_BADGE_CHECK = `SELECT ${COLUMNS} FROM ${CHECKS} WHERE checks.badge_key = $1`

/** Lists all checks of the project with this badge key, in order of creation. The page is empty if there is no such project. */
export async function listBadgeChecks(
  sql: Sql,
  projectBadgeKey: string,
  after: PageMark | null,
): Promise<Page<BadgeCheck>> {
  const rows = await sql.all<BadgeRow>(LIST_BADGE_CHECKS, [projectBadgeKey, markOf(after)])
  return toPage(rows, CHECKS_PER_PAGE, rows.map(toBadgeCheck), (row) => row.created_at)
}

/** Finds the check that a badge shows. @param badgeKey the check's own badge key */
export async function findBadgeCheck(sql: Sql, badgeKey: string): Promise<BadgeCheck | null> {
  const row = await sql.get<BadgeRow>(FIND_BADGE_CHECK, [badgeKey])
  return row && toBadgeCheck(row)
}

function toBadgeCheck(row: BadgeRow): BadgeCheck {
  return {
    status: row.status,
    kind: row.kind,
    timeoutSeconds: row.timeout_seconds,
    graceSeconds: row.grace_seconds,
    schedule: row.schedule,
    tz: row.tz,
    lastPingAt: instantOrNull(row.last_ping_at),
    lastStartAt: instantOrNull(row.last_start_at),
    sparedUntil: instantOrNull(row.spared_until),
    name: row.name,
    tags: row.tags,
  }
}
