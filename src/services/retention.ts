/**
 * Retention: logs are shortened to their limits, flips kept for as long as anybody may ask for them, and what deleted checks
 * have left is removed.
 */
import type { Instant } from '../domain/time.ts'
import type { Deps } from './deps.ts'

/**
 * The current month and the two before it (spec 4.4) in every time zone: at most 92 days. Until the morning of a report a
 * few hours more are needed.
 */
const DAYS_KEPT = 93
/** Small, since a server that ends waits for a batch; what pings wait for is a step of it (`store/steps.ts`). */
const BATCH_LIMIT = 10

/** Flips made before that are forgotten. */
export function flipsKeptSince(now: Instant): Instant {
  return now.subtract({ hours: DAYS_KEPT * 24 })
}

/**
 * Prunes one batch.
 * @returns when to go on: at once while there is more; null when all is done
 */
export async function prune({ store, now, log }: Pick<Deps, 'store' | 'now' | 'log'>): Promise<Instant | null> {
  const { more, ...pruned } = await store.prune(flipsKeptSince(now()), BATCH_LIMIT)
  if (pruned.pings + pruned.bodies + pruned.flips > 0) log('debug', 'pruned', pruned)
  return more ? now() : null
}
