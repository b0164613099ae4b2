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
  const next = await store.incidents.nextLookAt()
  if (next === null || isBefore(at, next)) return next
  const { owed } = await store.incidents.look(await store.incidents.due(at, BATCH_LIMIT), rules(deps))
  if (owed) onOwed()
  return store.incidents.nextLookAt()
}
