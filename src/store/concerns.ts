/** What the first page shows of all projects: checks that are down or late, and checks that came back. */
import type { StoredStatus } from '../domain/check/check.ts'
import { fromMicroseconds, type Instant, toMicroseconds } from '../lib/time.ts'
import type { Sql } from './database.ts'
import { markOf, toPage } from './pages.ts'
import { instantOrNull } from './rows.ts'
import type { FlipMark, Page, PageMark, RecoveredCheck, RecoveryPage } from './store.ts'

/** Reading so many rows takes about a millisecond. */
const CHECKS_PER_PAGE = 1_000

// The loop never looks at a check later than at its deadline, which is a grace time after the expected time.
export const LIST_CONCERNS = `
  SELECT id, created_at,
    CASE WHEN status = 'down' OR alert_after - grace_seconds * 1000000 <= $3 THEN 1 ELSE 0 END AS is_concern
  FROM checks WHERE project_id = $1 AND created_at > $2
  ORDER BY created_at LIMIT ${CHECKS_PER_PAGE}`

export async function listConcerns(
  sql: Sql,
  projectId: string,
  now: Instant,
  after: PageMark | null,
): Promise<Page<string>> {
  const values = [projectId, markOf(after), toMicroseconds(now)]
  const rows = await sql.all<{ id: string; created_at: number; is_concern: number }>(LIST_CONCERNS, values)
  const items = rows.filter(({ is_concern }) => is_concern === 1).map(({ id }) => id)
  return toPage(rows, CHECKS_PER_PAGE, items, (row) => row.created_at)
}

const FLIPS_PER_PAGE = 500

// Each page looks at so many flips, however few of them are recoveries. A flip that was cleared waits for retention.
export const LIST_RECOVERIES = `
  SELECT recent.*, checks.project_id, (
      SELECT created_at FROM flips AS earlier
      WHERE earlier.check_id = recent.check_id AND earlier.n = recent.n - 1 AND earlier.new_status = 'down'
    ) AS down_at, (
      SELECT 1 FROM cleared_checks
      WHERE cleared_checks.check_id = recent.check_id AND cleared_checks.n_flips >= recent.n
    ) AS is_cleared
  FROM (
    SELECT created_at, check_id, n, old_status, new_status FROM flips
    WHERE created_at >= $1 AND (created_at, check_id, n) < ($2, $3, $4)
    ORDER BY created_at DESC, check_id DESC, n DESC LIMIT ${FLIPS_PER_PAGE}
  ) AS recent LEFT JOIN checks ON checks.id = recent.check_id
  ORDER BY recent.created_at DESC, recent.check_id DESC, recent.n DESC`

interface RecentRow {
  created_at: number
  check_id: string
  n: number
  old_status: StoredStatus
  new_status: StoredStatus
  project_id: string | null
  down_at: number | null
  is_cleared: number | null
}

export async function listRecoveries(sql: Sql, since: Instant, after: FlipMark | null): Promise<RecoveryPage> {
  const { createdAt, checkId, n } = after ?? { createdAt: Number.MAX_SAFE_INTEGER, checkId: '', n: 0 }
  const rows = await sql.all<RecentRow>(LIST_RECOVERIES, [toMicroseconds(since), createdAt, checkId, n])
  const last = rows.length < FLIPS_PER_PAGE ? undefined : rows.at(-1)
  return {
    items: rows.flatMap(toRecovered),
    next: last === undefined ? null : { createdAt: last.created_at, checkId: last.check_id, n: last.n },
  }
}

function toRecovered(row: RecentRow): RecoveredCheck | [] {
  const isRecovery = row.old_status === 'down' && row.new_status === 'up' && row.is_cleared === null
  if (!isRecovery || row.project_id === null) return []
  return {
    checkId: row.check_id,
    projectId: row.project_id,
    at: fromMicroseconds(row.created_at),
    downSince: instantOrNull(row.down_at),
  }
}
