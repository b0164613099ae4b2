/** What the first page shows of all projects: checks that are down or late, and checks that came back. */
import { fromMicroseconds, type Instant, toMicroseconds } from '../lib/time.ts'
import type { Sql } from './database.ts'
import type { FlipRow } from './flips.ts'
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

const FLIPS_PER_PAGE = 250

// Each page looks at so many flips, however few of them are recoveries.
export const LIST_FLIPS = `
  SELECT created_at, check_id, n, old_status, new_status FROM flips
  WHERE created_at >= $1 AND (created_at, check_id, n) < ($2, $3, $4)
  ORDER BY created_at DESC, check_id DESC, n DESC LIMIT ${FLIPS_PER_PAGE}`

// A flip of a check that was cleared waits for retention.
export const FIND_RECOVERED = `
  SELECT project_id, (
    SELECT created_at FROM flips WHERE check_id = $1 AND n = $2 - 1 AND new_status = 'down'
  ) AS down_at
  FROM checks WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM cleared_checks WHERE check_id = $1 AND n_flips >= $2)`

type RecentFlip = Pick<FlipRow, 'created_at' | 'check_id' | 'n' | 'old_status' | 'new_status'>

export async function listRecoveries(sql: Sql, since: Instant, after: FlipMark | null): Promise<RecoveryPage> {
  const { createdAt, checkId, n } = after ?? { createdAt: Number.MAX_SAFE_INTEGER, checkId: '', n: 0 }
  const flips = await sql.all<RecentFlip>(LIST_FLIPS, [toMicroseconds(since), createdAt, checkId, n])
  const recoveries = flips.filter((flip) => flip.old_status === 'down' && flip.new_status === 'up')
  const found = await sql.getEach<{ project_id: string; down_at: number | null }>(
    FIND_RECOVERED,
    recoveries.map((flip) => [flip.check_id, flip.n]),
  )
  const items = recoveries.flatMap((flip, index): RecoveredCheck[] => {
    const check = found[index]
    if (!check) return []
    const { check_id: checkId, n } = flip
    const [at, downSince] = [fromMicroseconds(flip.created_at), instantOrNull(check.down_at)]
    return [{ checkId, n, projectId: check.project_id, at, downSince }]
  })
  const last = flips.length < FLIPS_PER_PAGE ? undefined : flips.at(-1)
  const next = last === undefined ? null : { createdAt: last.created_at, checkId: last.check_id, n: last.n }
  return { items, next }
}
