/** Flips: made when time runs out, and listed. */
import type { Flip, FlipFilter } from '../domain/flip.ts'
import type { CheckWithChannels } from '../domain/representation.ts'
import { type Instant, isBefore } from '../domain/time.ts'
import { uniqueKey } from '../domain/unique-key.ts'
import type { Deps } from './deps.ts'
import { readPages } from './pages.ts'
import { rules } from './rules.ts'

/** Small, so that pings never wait long for the write lock. */
const BATCH_LIMIT = 200

/** Newest first, page by page. */
export function listFlips(
  { store }: Pick<Deps, 'store'>,
  { check }: CheckWithChannels,
  filter: FlipFilter,
): AsyncGenerator<readonly Flip[]> {
  return readPages((after) => store.listFlips(check.id, filter, after))
}

/**
 * Turns checks down whose deadline has passed, a batch at most. Costs one indexed look while nothing is due.
 * @returns when to look again, at once when more are due; null when no check is waiting
 */
export async function flipOverdue(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'transports' | 'onOwed' | 'log'>,
): Promise<Instant | null> {
  const { store, now, onOwed, log } = deps
  const due = await store.nextLookAt()
  if (due === null || isBefore(now(), due)) return due
  const { flips, owed, nextLookAt } = await store.judgeOverdue(now(), rules(deps), BATCH_LIMIT)
  if (owed) onOwed()
  for (const flip of flips) log('info', 'check went down', { check: uniqueKey(flip.checkId), reason: flip.reason })
  return nextLookAt
}
