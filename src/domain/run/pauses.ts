/** Finds the periods during which a check did not expect any runs. */
import type { Instant } from '../../lib/time.ts'
import type { Flip } from '../check/flip.ts'
import type { Stretch } from '../stretch.ts'

/**
 * Returns the periods during which a check was paused, oldest first. After a pause, no run is expected until a ping arrives.
 * @param flips newest first, including the check's most recent flip
 */
export function pausesOf(flips: readonly Flip[], now: Instant): readonly Stretch[] {
  return flips
    .flatMap(({ newStatus, createdAt }, index) => {
      const until = flips[index - 1]?.createdAt ?? now
      const isPause = newStatus === 'paused' || newStatus === 'new'
      return isPause ? [{ from: createdAt.epochMilliseconds, until: until.epochMilliseconds }] : []
    })
    .reverse()
}
