/** The job of incidents: tells what a silence or an acknowledgement has held, when that has ended. */
import { type Instant, isBefore } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'
import { rules } from '../common/rules.ts'

/** Small, so that pings never wait long for the write lock. */
const BATCH_LIMIT = 200

/**
 * Looks at incidents that are due, one batch at most. Costs one indexed query while nothing is due.
 * @returns when to call it again, at once when more are due; null when nothing is held
 */
export async function advanceDue(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'transports' | 'onOwed' | 'log'>,
): Promise<Instant | null> {
  const { store, now, onOwed } = deps
  const at = now()
  const due = await store.incidents.nextLookAt()
  if (due === null || isBefore(at, due)) return due
  const { owed, nextLookAt } = await store.incidents.advanceDue(at, rules(deps), BATCH_LIMIT)
  if (owed) onOwed()
  return nextLookAt
}
