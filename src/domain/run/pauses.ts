/** Stretches in which a check expected no runs. */
import type { Instant } from '../../lib/time.ts'
import type { Flip } from '../check/flip.ts'
import type { Stretch } from '../stretch.ts'

/**
 * Returns a check's pauses, oldest first. After a pause, no run is expected until a ping arrives.
 * @param flips newest first, starting with the newest of all
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
