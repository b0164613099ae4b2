/** A look for somebody who opens the page of a check: its advice is as of its last ping, however long ago the loop has looked. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { Check } from '../../domain/check/check.ts'
import { type LookDeps, lookNow } from './looks.ts'

export async function lookIfPinged(deps: LookDeps, actor: Actor, check: Check): Promise<void> {
  requireRight(actor, 'read', check)
  const stored = await deps.store.advice.find(check.id)
  if (stored?.lookedN !== check.nPings) await lookNow(deps, check.id)
}
