/** Sends alerts that were held back by a silence or an acknowledgement, once it has ended. */
import { type Instant, isBefore } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'
import { rules } from '../common/rules.ts'

/** Number of incidents per batch. Batches are small, so that pings don't wait long for the write lock. */
const BATCH_LIMIT = 200

/**
 * Processes at most one batch of due incidents. If nothing is due, the cost is a single indexed query.
 * @returns when to call this again; the current time if more incidents are due; null if no alert is held back
 */
export async function advanceDue(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'transports' | 'onDeliveriesCreated' | 'log'>,
): Promise<Instant | null> {
  const { store, now, onDeliveriesCreated } = deps
  const at = now()
  const next = await store.incidents.nextLookAt()
  if (next === null || isBefore(at, next)) return next
  const { owed } = await store.incidents.look(await store.incidents.due(at, BATCH_LIMIT), rules(deps))
  if (owed) onDeliveriesCreated()
  return store.incidents.nextLookAt()
}
