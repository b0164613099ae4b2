/** Finds names that are probably misspelled, and suggests the names that were probably meant. */

export interface Misspelling {
  readonly name: string
  /** the most similar known name */
  readonly meant: string
}

/** Minimum length. Shorter names are too similar to each other: `PATH` differs from `PORT` in only two letters. */
const SHORTEST = 8
const MAX_EDITS = 2

/**
 * Finds names that are unknown but resemble a known name. A name resembles another if they differ in at most two letters, or if it is a
 * shortened form of a long one (`EMAIL_USER` for `EMAIL_HOST_USER`). In short names, the only mistake that is recognized is two adjacent
 * letters that are swapped.
 * @param given names, most of which may be unrelated
 * @param long known names that users tend to shorten
 */
export function misspellings(given: readonly string[], known: readonly string[], long = known): Misspelling[] {
  const names = new Set(known)
  const longNames = known.filter((other) => other.length >= SHORTEST)
  return given.flatMap((name) => {
    if (names.has(name)) return []
    const meant =
      name.length < SHORTEST
        ? known.find((other) => isSwapped(name, other))
        : (closest(name, longNames, MAX_EDITS) ?? long.find((other) => isShortened(name, other)))
    return meant === undefined ? [] : [{ name, meant }]
  })
}

/**
 * @returns the candidate with the fewest edits, or the first such candidate if there are several; undefined if all candidates need more
 * than `maxEdits`
 */
export function closest(typed: string, candidates: Iterable<string>, maxEdits: number): string | undefined {
  let [found, least] = [undefined as string | undefined, maxEdits + 1]
  for (const candidate of candidates) {
    // Skips the expensive comparison if the lengths differ too much. The input may be as long as a command line.
    if (Math.abs(candidate.length - typed.length) >= least) continue
    const edits = editDistance(typed, candidate)
    if (edits < least) [found, least] = [candidate, edits]
  }
  return found
}

function isSwapped(name: string, known: string): boolean {
  const hasSameLetters = [...name].toSorted().join('') === [...known].toSorted().join('')
  return hasSameLetters && editDistance(name, known) === 1
}

/**
 * Returns true if the name lacks the end of the known name, or words from its middle. A name with only one word never matches, because it
 * could mean anything.
 */
function isShortened(name: string, known: string): boolean {
  if (!name.includes('_')) return false
  const [first = '', ...rest] = name.split('_')
  return known.startsWith(name) || (known.startsWith(`${first}_`) && known.endsWith(`_${rest.join('_')}`))
}

/**
 * Counts the edits needed to turn one string into the other: characters that are omitted, added, replaced, or swapped with the next one
 * (optimal string alignment).
 */
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
