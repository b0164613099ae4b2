/** Compares a JSON value with a recorded expectation, and reports each difference in one line. */
import { isArray, isObject, type Json, type JsonObject } from './case.ts'
import { short, textMatches } from './match.ts'
import { ADDED } from './not-yet.ts'
import { fill, MissingVariable, type Variables } from './template.ts'

/** The value being compared, with its place in the document. */
interface Place {
  readonly at: string
  readonly document: Json
  readonly variables: Variables
}

/** Objects must have exactly the expected members, and may have those of {@link ADDED}; order counts in arrays only. */
export function jsonDifferences(expected: Json, got: Json, variables: Variables): string[] {
  return compare(expected, got, { at: '', document: got, variables })
}

function compare(expected: Json, got: Json, place: Place): string[] {
  if (typeof expected === 'string') return compareText(expected, got, place)
  if (isArray(expected)) return compareArray(expected, got, place)
  if (!isObject(expected)) return expected === got ? [] : [differs(expected, got, place)]
  if (isArray(expected.$unordered)) return compareUnordered(expected.$unordered, got, place)
  if (typeof expected.$len === 'number') return compareEnds(expected.$len, expected, got, place)
  if (isArray(expected.$all)) return expected.$all.flatMap((item) => compare(item, got, place))
  if (isObject(expected.$subset)) return compareMembers(expected.$subset, got, place)
  return compareObject(expected, got, place)
}

function compareText(expected: string, got: Json, place: Place): string[] {
  try {
    if (textMatches(expected, got, place.variables, place.document)) return []
    const shown = expected.startsWith('<') ? expected : fill(expected, place.variables)
    return [differs(shown, got, place)]
  } catch (error) {
    if (error instanceof MissingVariable) return [`${differs(expected, got, place)} (${error.message})`]
    throw error
  }
}

function compareArray(expected: readonly Json[], got: Json, place: Place): string[] {
  if (!isArray(got) || got.length !== expected.length) return [wrongLength(expected.length, got, place)]
  return expected.flatMap((item, index) => compare(item, got[index] ?? null, inside(place, index)))
}

function compareObject(expected: JsonObject, got: Json, place: Place): string[] {
  if (!isObject(got)) return [`${name(place)}: expected an object, got ${short(got)}`]
  const filled: JsonObject = Object.fromEntries(
    Object.entries(expected).map(([key, value]) => [fill(key, place.variables), value]),
  )
  const unexpected = Object.keys(got).filter((key) => !Object.hasOwn(filled, key) && !ADDED.has(key))
  return [
    ...unexpected.map((key) => `${place.at}/${key}: unexpected, value ${short(got[key])}`),
    ...compareMembers(filled, got, place),
  ]
}

function compareMembers(expected: JsonObject, got: Json, place: Place): string[] {
  return Object.entries(expected).flatMap(([key, value]) => {
    const member = isObject(got) && Object.hasOwn(got, key) ? got[key] : undefined
    if (member === undefined) return [`${place.at}/${key}: missing, expected ${short(value)}`]
    return compare(value, member, inside(place, key))
  })
}

/** Compares lists without order. Each expected item takes the first remaining one that matches; if none does, the nearest is shown. */
function compareUnordered(expected: readonly Json[], got: Json, place: Place): string[] {
  if (!isArray(got) || got.length !== expected.length) return [wrongLength(expected.length, got, place)]
  const left = new Set(got.keys())
  return expected.flatMap((item, wanted) => {
    let nearest: string[] = []
    for (const index of left) {
      const differences = compareItem(item, got[index] ?? null, place, index)
      if (differences.length === 0) {
        left.delete(index)
        return []
      }
      if (nearest.length === 0 || differences.length < nearest.length) nearest = differences
    }
    const heading = `${name(place)}: nothing matches expected item ${wanted}; the nearest differs:`
    return [heading, ...nearest.map((line) => `  ${line}`)]
  })
}

/** Compares long lists, of which only the length and the first and last items are recorded. */
function compareEnds(length: number, expected: JsonObject, got: Json, place: Place): string[] {
  if (!isArray(got) || got.length !== length) return [wrongLength(length, got, place)]
  const ends: readonly [string, number][] = [
    ['$first', 0],
    ['$last', length - 1],
  ]
  return ends.flatMap(([key, index]) => {
    const item = expected[key]
    return item === undefined ? [] : compareItem(item, got[index] ?? null, place, index)
  })
}

/** Compares an item. Its pointers start at the item, since a case cannot know its index in the list. */
function compareItem(expected: Json, got: Json, place: Place, index: number): string[] {
  return compare(expected, got, { ...inside(place, index), document: got })
}

function inside(place: Place, key: string | number): Place {
  return { ...place, at: `${place.at}/${key}` }
}

function name(place: Place): string {
  return place.at || '/'
}

function differs(expected: Json, got: Json, place: Place): string {
  return `${name(place)}: expected ${short(expected)}, got ${short(got)}`
}

function wrongLength(expected: number, got: Json, place: Place): string {
  return `${name(place)}: expected an array of ${expected}, got ${isArray(got) ? got.length : short(got)}`
}
