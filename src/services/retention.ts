/** Retention: logs are shortened to their project's limit, flips kept for the current month and two before it. */
import { type Instant, Temporal } from '../domain/time.ts'
import type { Deps } from './deps.ts'

const FULL_MONTHS_KEPT = 2
/** A month begins so much earlier in the zone furthest east; reports of every zone count on whole months. */
const EARLIEST_ZONE_HOURS = 14
/** Small, so that pings never wait long for the write lock. */
const BATCH_LIMIT = 20

/** The first moment of the oldest month whose flips are kept (spec 4.4), in UTC. */
export function flipsKeptSince(now: Instant): Instant {
  const month = now.toZonedDateTimeISO('UTC').toPlainDate().with({ day: 1 }).subtract({ months: FULL_MONTHS_KEPT })
  return month.toZonedDateTime({ timeZone: 'UTC', plainTime: new Temporal.PlainTime() }).toInstant()
}

/**
 * Prunes one batch.
 * @returns when to go on: at once while there is more; null when all is done
 */
export async function prune({ store, now, log }: Pick<Deps, 'store' | 'now' | 'log'>): Promise<Instant | null> {
  const { pings, flips, more } = await store.prune(
    flipsKeptSince(now()).subtract({ hours: EARLIEST_ZONE_HOURS }),
    BATCH_LIMIT,
  )
  if (pings + flips > 0) log('debug', 'pruned', { pings, flips })
  return more ? now() : null
}
