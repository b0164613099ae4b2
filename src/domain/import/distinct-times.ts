/** Creation times of imported things, made distinct within a project, so that lists have one order. */
import { fromMicroseconds, type Instant, toMicroseconds } from '../../lib/time.ts'

/** @returns the instants in their order; a repeated one becomes the next free microsecond */
export function distinctTimes(instants: readonly Instant[]): Instant[] {
  /** A later time for each taken one, with nothing free between them. */
  const later = new Map<number, number>()
  return instants.map((instant) => {
    const wanted = toMicroseconds(instant)
    let free = wanted
    for (let at = later.get(free); at !== undefined; at = later.get(free)) free = at
    // Shortens the path for later lookups; without this, many equal times would take quadratic time.
    for (let at = wanted; at !== free; ) {
      const next = later.get(at) ?? free
      later.set(at, free)
      at = next
    }
    later.set(free, free + 1)
    return fromMicroseconds(free)
  })
}
