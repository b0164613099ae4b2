/** A look for somebody who opens the page of a check: its advice is as of its last ping and of its settings, however long ago the loop has looked. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import { isAtOrAfter } from '../../lib/time.ts'
import type { StoredAdvice } from '../../store/store.ts'
import { type LookDeps, lookNow } from './looks.ts'

/** @returns what is stored then; null if there is no such check */
export async function lookIfDue(deps: LookDeps, actor: Actor, check: Check): Promise<StoredAdvice | null> {
  requireRight(actor, 'read', check)
  const stored = await deps.store.advice.find(check.id)
  const isCurrent = stored?.lookedN === check.nPings && !isAtOrAfter(deps.now(), stored.lookAfter)
  return isCurrent ? stored : lookNow(deps, check.id)
}
