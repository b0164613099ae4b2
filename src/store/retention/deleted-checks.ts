/** Removes the logs and events of deleted checks, step by step. */
import type { Sql } from '../sql/database.ts'
import type { Steps } from '../sql/steps.ts'
import { deleteEventsUntil } from './events.ts'
import { deleteEntries, listEntries } from './log-retention.ts'

export interface DeletedCheck {
  readonly checkId: string
  readonly head: number | null
}

export function findDeletedChecks(sql: Sql, limit: number): Promise<DeletedCheck[]> {
  return sql.all<DeletedCheck>(sql.statements.deletedChecks, [limit])
}

// The update also locks the row. If the row no longer exists, another process has removed everything, and an import may since have staged a
// log for the same check.
const LOCK_ROW = 'UPDATE deleted_checks SET check_id = check_id WHERE check_id = $1'

const DONE = 'DELETE FROM deleted_checks WHERE check_id = $1'

/** Removes the logs of deleted checks. Deletes each check's record last, so that the check is found again after a failure. */
export async function clearDeletedChecks(
  steps: Steps,
  checks: readonly DeletedCheck[],
): Promise<{ readonly pings: number; readonly events: number }> {
  let [pings, events] = [0, 0]
  for (const { checkId, head } of checks) {
    const hold = async (sql: Sql) => (await sql.run(LOCK_ROW, [checkId])) > 0
    const [entries = []] = await listEntries(steps, [{ checkId, head }])
    pings += await deleteEntries(steps, entries, hold)
    events += await deleteEventsUntil(steps, checkId, Number.MAX_SAFE_INTEGER, hold)
  }
  await steps.runEach(
    DONE,
    checks.map(({ checkId }) => [checkId]),
  )
  return { pings, events }
}
