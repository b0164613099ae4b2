/** Reads pings that did not count for their checks. */
import { NOTHING_UNCOUNTED, type Uncounted, type UncountedPings } from '../../domain/cause/uncounted.ts'
import type { Instant } from '../../lib/time.ts'
import { inBatches } from '../../lib/work/batches.ts'
import type { Deps } from '../common/deps.ts'

/** Number of checks per read. A read takes a few milliseconds. */
const READ_AT_ONCE = 50

/**
 * Reads the uncounted pings of checks that the caller is allowed to read.
 * @param ids ids of all these checks; their rejected pings are read
 * @param waiting checks that have been pinged but are still waiting for a ping that counts; their logs are read too
 */
export async function readUncounted(
  { store }: Pick<Deps, 'store'>,
  ids: readonly string[],
  waiting: readonly string[],
  now: Instant,
): Promise<(id: string) => Uncounted> {
  const pings = new Map<string, UncountedPings>()
  for (const some of inBatches(waiting, READ_AT_ONCE)) {
    for (const [id, found] of await store.uncounted.list(some, now)) pings.set(id, found)
  }
  const refused = await store.uncounted.listRefused(ids, now)
  if (pings.size === 0 && refused.size === 0) return () => NOTHING_UNCOUNTED
  return (id) => ({ pings: pings.get(id) ?? null, refused: refused.get(id) ?? null })
}
