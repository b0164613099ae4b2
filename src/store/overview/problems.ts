/** Finds checks for the overview of all projects: checks that are down or late, and checks that have recovered. */
import { fromMicroseconds, type Instant, toMicroseconds } from '../../lib/time.ts'
import type { RecoveredCheck } from '../interface/flips.ts'
import { markOf, type Page, type PageMark, toPage } from '../pages.ts'
import type { Sql } from '../sql/database.ts'
import { instantOrNull } from '../sql/rows.ts'

/** Number of checks per page. Reading that many rows takes about a millisecond. */
const CHECKS_PER_PAGE = 1_000

// The loop judges a check at its deadline at the latest. The deadline is the expected time plus the grace time.
export const LIST_PROBLEMS = `
  SELECT id, created_at,
    CASE WHEN status = 'down' OR alert_after - grace_seconds * 1000000 <= $3 THEN 1 ELSE 0 END AS is_problem
  FROM checks WHERE project_id = $1 AND created_at > $2
  ORDER BY created_at LIMIT ${CHECKS_PER_PAGE}`

/**
 * Lists the ids of a project's checks that are down at `now`, may be late, or may have a run in progress, in order of creation. An empty
 * page is not necessarily the last one.
 */
export async function listProblems(
  sql: Sql,
  projectId: string,
  now: Instant,
  after: PageMark | null,
): Promise<Page<string>> {
  const values = [projectId, markOf(after), toMicroseconds(now)]
  const rows = await sql.all<{ id: string; created_at: number; is_problem: number }>(LIST_PROBLEMS, values)
  const items = rows.filter(({ is_problem }) => is_problem === 1).map(({ id }) => id)
  return toPage(rows, CHECKS_PER_PAGE, items, (row) => row.created_at)
}

// Number of newest events to examine per check. It is limited because a check may have any number of events.
const EVENTS_LOOKED_AT = 10

export const LIST_RECOVERIES = `
  SELECT id, created_at, CASE WHEN status <> 'down' THEN (
    SELECT n FROM events
    WHERE check_id = checks.id AND n > checks.n_events - ${EVENTS_LOOKED_AT}
      AND old_status = 'down' AND new_status = 'up' AND +created_at >= $3
    ORDER BY n DESC LIMIT 1
  ) END AS flip_n
  FROM checks WHERE project_id = $1 AND created_at > $2
  ORDER BY created_at LIMIT ${CHECKS_PER_PAGE}`

// A cleared check's flip remains until retention removes it.
export const FIND_RECOVERED = `
  SELECT created_at, (
    SELECT CASE WHEN new_status = 'down' THEN created_at END FROM events
    WHERE check_id = $1 AND n < $2 AND kind = 'flip' ORDER BY n DESC LIMIT 1
  ) AS down_at
  FROM events WHERE check_id = $1 AND n = $2
    AND NOT EXISTS (SELECT 1 FROM cleared_checks WHERE check_id = $1 AND n_events >= $2)`

/**
 * Lists a project's checks that recovered at `since` or later and are not stored as down again, in order of creation. Returns each check
 * with its last recovery. Leaves out recoveries that were followed by many other events. An empty page is not necessarily the last one.
 */
export async function listRecoveries(
  sql: Sql,
  projectId: string,
  since: Instant,
  after: PageMark | null,
): Promise<Page<RecoveredCheck>> {
  const values = [projectId, markOf(after), toMicroseconds(since)]
  const rows = await sql.all<{ id: string; created_at: number; flip_n: number | null }>(LIST_RECOVERIES, values)
  const recovered = rows.flatMap(({ id, flip_n: n }) => (n === null ? [] : [{ checkId: id, n }]))
  const found = await sql.getEach<{ created_at: number; down_at: number | null }>(
    FIND_RECOVERED,
    recovered.map(({ checkId, n }) => [checkId, n]),
  )
  const items = recovered.flatMap((flip, index): RecoveredCheck[] => {
    const times = found[index]
    if (!times) return []
    return [{ ...flip, at: fromMicroseconds(times.created_at), downSince: instantOrNull(times.down_at) }]
  })
  return toPage(rows, CHECKS_PER_PAGE, items, (row) => row.created_at)
}
