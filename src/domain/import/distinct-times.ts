/** Times at which imported things were made: here they are distinct within a project, so that lists have one order. */
import { fromMicroseconds, type Instant, toMicroseconds } from '../../lib/time.ts'

/** @returns the instants in their order; one that comes again is the next free microsecond */
export function distinctTimes(instants: readonly Instant[]): Instant[] {
  /** A later time for each that is taken, with nothing free between. */
  const later = new Map<number, number>()
  return instants.map((instant) => {
    const wanted = toMicroseconds(instant)
    let free = wanted
    for (let at = later.get(free); at !== undefined; at = later.get(free)) free = at
    // Whoever comes next goes the whole way at once, or many equal times would take the square of their number.
    for (let at = wanted; at !== free; ) {
      const next = later.get(at) ?? free
      later.set(at, free)
      at = next
    }
    later.set(free, free + 1)
    return fromMicroseconds(free)
  })
}
