/** The job of incidents: sends alerts that a silence or an acknowledgement has held back, once that has ended. */
import { type Instant, isBefore } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'
import { rules } from '../common/rules.ts'

/** Incidents of a batch. Small, so that pings never wait long for the write lock. */
const BATCH_LIMIT = 200

/**
 * Processes due incidents, one batch at most. Costs one indexed query while nothing is due.
 * @returns when to call it again, at once if more are due; null if nothing is held
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
