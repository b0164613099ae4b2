/** Names that were probably meant to be other ones. */

export interface Misspelling {
  readonly name: string
  /** the known name that is nearest */
  readonly meant: string
}

/** Shorter names are near too many others: `PATH` is two letters from `PORT`. */
const SHORTEST = 8
const MOST_EDITS = 2
/** Variables of OpenTelemetry are many, alike, and mostly read by its own libraries. */
const FOREIGN = /^OTEL_/

/**
 * @param given names of an environment, most of which are none of our business
 * @returns those that are no known name, and at most two letters from one
 */
export function misspellings(given: readonly string[], known: readonly string[]): Misspelling[] {
  const names = new Set(known)
  const candidates = known.filter((name) => name.length >= SHORTEST && !FOREIGN.test(name))
  const strangers = given.filter((name) => name.length >= SHORTEST && !names.has(name) && !FOREIGN.test(name))
  return strangers.flatMap((name) => {
    const meant = nearest(name, candidates)
    return meant === null ? [] : [{ name, meant }]
  })
}

function nearest(name: string, candidates: readonly string[]): string | null {
  const near = candidates.filter((known) => Math.abs(known.length - name.length) <= MOST_EDITS)
  const [best] = near
    .map((known) => ({ known, edits: editDistance(name, known) }))
    .filter(({ edits }) => edits <= MOST_EDITS)
    .toSorted((a, b) => a.edits - b.edits)
  return best?.known ?? null
}

/** How many characters are left out, put in, exchanged or swapped with their neighbour (optimal string alignment). */
export function editDistance(a: string, b: string): number {
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
