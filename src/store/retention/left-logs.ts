/** Removes the data of deleted checks immediately, because an import needs their ids. */

import type { Steps } from '../sql/steps.ts'
import { type ClearedCheck, removeCleared } from './cleared-checks.ts'
import { clearDeletedChecks, type DeletedCheck } from './deleted-checks.ts'

/**
 * Larger than any possible number of checks whose data is waiting for removal. All of them are listed, because they cannot be looked up by
 * id.
 */
const ALL = 1_000_000

/**
 * Removes the data of deleted checks with these ids, like `prune` and in short transactions, so that logs with the same ids can be staged.
 */
export async function removeDeletedLogs(steps: Steps, checkIds: readonly string[]): Promise<void> {
  const wanted = new Set(checkIds)
  const isWanted = ({ checkId }: { readonly checkId: string }) => wanted.has(checkId)
  const [deleted, cleared] = await steps.read((sql) =>
    Promise.all([
      sql.all<DeletedCheck>(sql.statements.deletedChecks, [ALL]),
      sql.all<ClearedCheck>(sql.statements.clearedChecks, [ALL]),
    ]),
  )
  await removeCleared(steps, cleared.filter(isWanted))
  await clearDeletedChecks(steps, deleted.filter(isWanted))
}
