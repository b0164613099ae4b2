/** What somebody may have meant who mistyped a word. */
import { editDistance } from '../domain/spelling.ts'

/** @returns the candidate that is nearest to `typed`; null when none is near */
export function suggest(typed: string, candidates: Iterable<string>): string | null {
  let [nearest, least] = [null as string | null, Math.max(1, Math.floor(typed.length / 3)) + 1]
  for (const candidate of candidates) {
    // Words of very different lengths are far apart, and a word may be as long as a command line can be.
    if (Math.abs(candidate.length - typed.length) >= least) continue
    const distance = editDistance(typed, candidate)
    if (distance < least) [nearest, least] = [candidate, distance]
  }
  return nearest
}
