/** Flips: made when time runs out, and listed. */
import type { Flip, FlipFilter } from '../domain/flip.ts'
import type { CheckWithChannels } from '../domain/representation.ts'
import { type Instant, isBefore } from '../domain/time.ts'
import type { Deps } from './deps.ts'
import { rules } from './rules.ts'

const BATCH_LIMIT = 500

export function listFlips(
  { store }: Pick<Deps, 'store'>,
  { check }: CheckWithChannels,
  filter: FlipFilter,
): Promise<Flip[]> {
  return store.listFlips(check.id, filter)
}

/**
 * Turns every check down whose deadline has passed. Costs one indexed look while nothing is due.
 * @returns when to look again; null when no check is waiting
 */
export async function flipOverdue(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'transports' | 'onOwed' | 'log'>,
): Promise<Instant | null> {
  const { store, now, onOwed, log } = deps
  const applied = rules(deps)
  let nextLook = await store.nextLookAt()
  while (nextLook !== null && !isBefore(now(), nextLook)) {
    const overdue = await store.flipOverdue(now(), applied, BATCH_LIMIT)
    if (overdue.owed) onOwed()
    if (overdue.flips.length > 0) log('info', 'checks went down', { count: overdue.flips.length })
    nextLook = overdue.nextLookAt
  }
  return nextLook
}
