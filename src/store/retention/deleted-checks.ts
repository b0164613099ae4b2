/** Removes the logs and flips of checks that were deleted, in steps. */
import type { Sql } from '../sql/database.ts'
import type { Steps } from '../sql/steps.ts'
import { deleteEntries, type Hold, listEntries } from './log-retention.ts'

export interface DeletedCheck {
  readonly checkId: string
  readonly head: number | null
}

export function findDeletedChecks(sql: Sql, limit: number): Promise<DeletedCheck[]> {
  return sql.all<DeletedCheck>(sql.statements.deletedChecks, [limit])
}

// Takes the row's lock as well. It is gone when another process has removed all; then an import may have staged a log of the same check.
const HOLD = 'UPDATE deleted_checks SET check_id = check_id WHERE check_id = $1'

const FLIPS_AT_ONCE = 500
const FLIPS = 'SELECT n FROM flips WHERE check_id = $1 AND n <= $2 ORDER BY n LIMIT $3'
const DELETE_FLIP = 'DELETE FROM flips WHERE check_id = $1 AND n = $2'
const DONE = 'DELETE FROM deleted_checks WHERE check_id = $1'

/** Removes the logs of deleted checks. Deletes the record of each last, so that it is found again after a failure. */
export async function clearDeletedChecks(
  steps: Steps,
  checks: readonly DeletedCheck[],
): Promise<{ readonly pings: number; readonly flips: number }> {
  let [pings, flips] = [0, 0]
  for (const { checkId, head } of checks) {
    const hold = async (sql: Sql) => (await sql.run(HOLD, [checkId])) > 0
    const [entries = []] = await listEntries(steps, [{ checkId, head }])
    pings += await deleteEntries(steps, entries, hold)
    flips += await deleteFlipsUntil(steps, checkId, Number.MAX_SAFE_INTEGER, hold)
  }
  await steps.runEach(
    DONE,
    checks.map(({ checkId }) => [checkId]),
  )
  return { pings, flips }
}

/** Deletes flips; foreign keys delete their deliveries. @param newest number of the last flip to delete @returns how many it deleted */
export async function deleteFlipsUntil(steps: Steps, checkId: string, newest: number, hold: Hold): Promise<number> {
  let [deleted, found] = [0, 0]
  do {
    const flips = await steps.read((sql) => sql.all<{ n: number }>(FLIPS, [checkId, newest, FLIPS_AT_ONCE]))
    found = flips.length
    deleted += await steps.each(flips, {
      atBegin: hold,
      atOnce: () => 1,
      work: async (sql, [flip]) => (flip ? sql.run(DELETE_FLIP, [checkId, flip.n]) : 0),
    })
  } while (found === FLIPS_AT_ONCE)
  return deleted
}
