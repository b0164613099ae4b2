/** Creates flips when deadlines pass, and lists flips. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import type { Flip, FlipFilter } from '../../domain/check/flip.ts'
import { uniqueKey } from '../../domain/check/unique-key.ts'
import { type Instant, isBefore } from '../../lib/time.ts'
import type { LockedChecks, Rules } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'
import { readPages } from '../common/pages.ts'
import { rules } from '../common/rules.ts'

/**
 * Maximum number of checks per transaction. Pings wait for the write lock during a transaction, but each transaction also costs a disk
 * sync.
 */
const BATCH_LIMIT = 500

/** Lists flips in pages, newest first. */
export function listFlips(
  { store }: Pick<Deps, 'store'>,
  actor: Actor,
  check: Check,
  filter: FlipFilter,
): AsyncGenerator<readonly Flip[]> {
  requireRight(actor, 'read', check)
  return readPages((after) => store.flips.list(check.id, filter, after))
}

/**
 * Marks checks as down if their deadline has passed, at most one batch. If nothing is due, the cost is a single indexed query.
 * @param at time of the last heartbeat; with the current time, every check would be marked as down if the clock jumped forward after the
 * heartbeat
 * @returns when to call this again; the current time if more checks are due; null if no check has a deadline
 */
export async function flipOverdue(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'transports' | 'onDeliveriesCreated' | 'log'>,
  at: Instant,
): Promise<Instant | null> {
  const due = await deps.store.flips.nextLookAt()
  return due === null || isBefore(at, due) ? due : judgeOverdue(deps, at, rules(deps))
}

/**
 * Judges a batch of checks whose deadline has passed, and reports the checks that went down. Returns the same value as {@link flipOverdue}.
 */
export async function judgeOverdue(
  { store, onDeliveriesCreated, log }: Pick<Deps, 'store' | 'onDeliveriesCreated' | 'log'>,
  at: Instant,
  judging: Rules,
  locked?: LockedChecks,
): Promise<Instant | null> {
  const { flips, owed, nextLookAt } = await store.flips.judgeOverdue(at, judging, BATCH_LIMIT, locked)
  if (owed) onDeliveriesCreated()
  for (const flip of flips) log('info', 'check went down', { check: uniqueKey(flip.checkId), reason: flip.reason })
  return nextLookAt
}
