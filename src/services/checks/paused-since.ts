/** The beginning of a pause. */
import type { Check } from '../../domain/check/check.ts'
import type { Deps } from '../common/deps.ts'

/** Milliseconds since 1970. The pause may have begun before the log. @param check that is paused */
export async function readPausedSince({ store }: Pick<Deps, 'store'>, check: Check): Promise<number> {
  const [newest] = (await store.flips.list(check.id, {}, null, 1)).items
  // A check that was imported has no flip.
  return (newest?.newStatus === 'paused' ? newest : check).createdAt.epochMilliseconds
}
