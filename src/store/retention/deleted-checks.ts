/** Removes the logs and events of checks that were deleted, in steps. */
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

// Takes the row's lock as well. The row is gone once another process has removed everything; then an import may have staged a log of the
// same check.
const HOLD = 'UPDATE deleted_checks SET check_id = check_id WHERE check_id = $1'

const DONE = 'DELETE FROM deleted_checks WHERE check_id = $1'

/** Removes the logs of deleted checks. Deletes the record of each last, so that it is found again after a failure. */
export async function clearDeletedChecks(
  steps: Steps,
  checks: readonly DeletedCheck[],
): Promise<{ readonly pings: number; readonly events: number }> {
  let [pings, events] = [0, 0]
  for (const { checkId, head } of checks) {
    const hold = async (sql: Sql) => (await sql.run(HOLD, [checkId])) > 0
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
