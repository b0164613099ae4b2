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

/** Levenshtein's: how many letters are to be put in, taken out or changed. */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...to].entries()) {
      const change = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
