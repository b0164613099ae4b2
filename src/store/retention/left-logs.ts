/** Removes leftovers of deleted checks now, because an import reuses their ids. */

import type { Steps } from '../sql/steps.ts'
import { type ClearedCheck, removeCleared } from './cleared-checks.ts'
import { clearDeletedChecks, type DeletedCheck } from './deleted-checks.ts'

/** A limit that returns all: waiting checks can be found only in their order. */
const ALL = 1_000_000

/** Removes the leftovers of deleted checks with these ids, as `prune` does and in short transactions, so that their logs can be staged. */
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
