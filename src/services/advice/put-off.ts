/** Advice of which nobody wants to hear now. */
import { type Actor, requireRight } from '../../domain/actor.ts'
import type { Advice } from '../../domain/advice/advice.ts'
import { PUT_OFF_DAYS } from '../../domain/advice/stored-advice.ts'
import type { Check } from '../../domain/check/check.ts'
import { addSeconds, type Instant } from '../../lib/time.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'

const DAY_SECONDS = 86_400

/**
 * Hides an advice for a while, or until its fix would be another one.
 * @returns until when; null if the check does not have it any more
 */
export async function putOffAdvice(
  deps: Pick<Deps, 'store' | 'now' | 'random'>,
  actor: Actor,
  check: Check,
  advice: Pick<Advice, 'kind' | 'fix'>,
): Promise<Instant | null> {
  requireRight(actor, 'write', check)
  const author = authorOf(deps, actor.by)
  const until = addSeconds(author.at, PUT_OFF_DAYS * DAY_SECONDS)
  return (await deps.store.by(author).advice.putOff(check.id, advice, until, author.at)) && until
}
