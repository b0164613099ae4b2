/**
 * Examines a check while a user waits for its page. If the examination fails, the error is logged, and the page shows the stored advice.
 */
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import { uniqueKey } from '../../domain/check/unique-key.ts'
import { messageOf } from '../../lib/errors.ts'
import { Temporal } from '../../lib/time.ts'
import { type LookDeps, lookNow } from './looks.ts'

/**
 * Examines the check if it has been pinged since the last examination, or if an examination is due. Afterwards, the check's advice is
 * current.
 */
export async function lookIfStale(deps: LookDeps, actor: Actor, check: Check): Promise<void> {
  requireRight(actor, 'read', check)
  const stored = await deps.store.advice.find(check.id)
  const isDue = stored === null || Temporal.Instant.compare(stored.lookAfter, deps.now()) <= 0
  if (isDue || stored.lookedN !== check.nPings) await tryToLook(deps, check.id)
}

export async function tryToLook(deps: LookDeps, checkId: string): Promise<void> {
  try {
    await lookNow(deps, checkId)
  } catch (error) {
    deps.log('error', 'a check could not be examined', { check: uniqueKey(checkId), reason: messageOf(error) })
  }
}
