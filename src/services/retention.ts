/** Retention: logs are shortened to their project's limit, flips kept for the current month and two before it. */
import { type Instant, Temporal } from '../domain/time.ts'
import type { Deps } from './deps.ts'

const FULL_MONTHS_KEPT = 2
/** Small, so that pings never wait long for the write lock. */
const BATCH_LIMIT = 20

/** The first moment of the oldest month whose flips are kept (spec 4.4), in UTC. */
export function flipsKeptSince(now: Instant): Instant {
  const month = now.toZonedDateTimeISO('UTC').toPlainDate().with({ day: 1 }).subtract({ months: FULL_MONTHS_KEPT })
  return month.toZonedDateTime({ timeZone: 'UTC', plainTime: new Temporal.PlainTime() }).toInstant()
}

export async function prune({ store, now, log }: Pick<Deps, 'store' | 'now' | 'log'>): Promise<void> {
  for (let more = true; more; ) {
    const pruned = await store.prune(flipsKeptSince(now()), BATCH_LIMIT)
    if (pruned.pings + pruned.flips > 0) log('debug', 'pruned', { pings: pruned.pings, flips: pruned.flips })
    more = pruned.more
    // Whatever has arrived meanwhile goes first.
    await new Promise((resolve) => setImmediate(resolve))
  }
}
