/** Times at which imported things were made: here they are distinct within a project, so that lists have one order. */
import { fromMicroseconds, type Instant, toMicroseconds } from '../../lib/time.ts'

/** @returns the instants in their order; one that comes again is a microsecond later each time */
export function distinctTimes(instants: readonly Instant[]): Instant[] {
  const taken = new Set<number>()
  return instants.map((instant) => {
    let at = toMicroseconds(instant)
    while (taken.has(at)) at += 1
    taken.add(at)
    return fromMicroseconds(at)
  })
}
