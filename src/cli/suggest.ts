/** What somebody may have meant who mistyped a word. */

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

/** How many characters are left out, put in, exchanged or swapped with their neighbour (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const changed = (last[column - 1] ?? 0) + (isSame ? 0 : 1)
      const swapped = isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : changed
      current[column] = Math.min(changed, swapped, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1)
    }
    beforeLast = last
    last = current
  }
  return last[b.length] ?? 0
}
