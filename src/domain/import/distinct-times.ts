/** Makes the creation times of imported objects distinct within a project, so that lists are always in the same order. */
import { fromMicroseconds, type Instant, toMicroseconds } from '../../lib/time.ts'

/** @returns the times in the same order; each duplicate is replaced with the next free microsecond */
export function distinctTimes(instants: readonly Instant[]): Instant[] {
  /** Maps each time that is already taken to a later one. All times between the two are also taken. */
  const later = new Map<number, number>()
  return instants.map((instant) => {
    const wanted = toMicroseconds(instant)
    let free = wanted
    for (let at = later.get(free); at !== undefined; at = later.get(free)) free = at
    // Shortens the path for later lookups. Otherwise, processing many equal times would take quadratic time.
    for (let at = wanted; at !== free; ) {
      const next = later.get(at) ?? free
      later.set(at, free)
      at = next
    }
    later.set(free, free + 1)
    return fromMicroseconds(free)
  })
}
