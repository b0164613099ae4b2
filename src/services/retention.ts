/**
 * Retention: trims logs to their limits, and removes flips that no report needs any more, old rows of the audit log, expired
 * sessions, instances that were killed, and what deleted checks have left.
 */
import { addSeconds, type Instant } from '../lib/time.ts'
import type { Deps } from './deps.ts'

/**
 * A report needs the current month and the two before it: at most 92 days, and a few hours until the morning when it is
 * sent.
 */
const DAYS_KEPT = 93
const AUDIT_DAYS = 365
/** One that was killed is shown for so long. */
const INSTANCE_SECONDS = 86_400
/** Small, since a server that stops waits for a batch. Pings wait only for a step of it (`store/retention/steps.ts`). */
const BATCH_LIMIT = 10

/** Flips before this time are removed. */
export function flipsKeptSince(now: Instant): Instant {
  return now.subtract({ hours: DAYS_KEPT * 24 })
}

/**
 * Prunes one batch.
 * @returns when to call it again: at once while there is more; null when all is done
 */
export async function prune({ store, now, log }: Pick<Deps, 'store' | 'now' | 'log'>): Promise<Instant | null> {
  const at = now()
  const { more, ...pruned } = await store.prune(flipsKeptSince(at), BATCH_LIMIT)
  if (pruned.pings + pruned.bodies + pruned.flips > 0) log('debug', 'pruned', pruned)
  const audit = await store.pruneAudit(at.subtract({ hours: AUDIT_DAYS * 24 }), BATCH_LIMIT)
  await store.removeExpired(at)
  await store.removeInstances(addSeconds(await store.readClock(), -INSTANCE_SECONDS))
  return more || audit === BATCH_LIMIT ? now() : null
}
