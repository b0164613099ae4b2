/** Finds the time zone that a word refers to or probably means. */
import { suggest } from '../../lib/text/suggest.ts'
import { isTimeZone, legacyTimeZones, timeZones } from './time-zones.ts'

interface Names {
  /** full names, keyed by the name in lower case */
  readonly whole: ReadonlyMap<string, string>
  /** full names, keyed by their last part in lower case, such as `berlin` */
  readonly cities: ReadonlyMap<string, string>
  /** first parts of names, in lower case, such as `europe` */
  readonly areas: ReadonlySet<string>
}

let known: Names | null = null

function names(): Names {
  if (known !== null) return known
  const all = [...legacyTimeZones.keys(), ...timeZones].map((name) => [name.toLowerCase(), name] as const)
  const inAreas = all.filter(([lower]) => lower.includes('/'))
  known = {
    whole: new Map(all),
    cities: new Map(inAreas.map(([lower, name]) => [lower.replace(/^.*\//, ''), name])),
    areas: new Set(inAreas.map(([lower]) => lower.replace(/\/.*$/, ''))),
  }
  return known
}

/** Returns the zone's name with the correct capitalization; null if there is no such zone. */
export function similarTimeZone(word: string): string | null {
  return isTimeZone(word) ? word : (names().whole.get(word.toLowerCase()) ?? null)
}

/** Returns the zone that a word probably means, such as `Europe/Berlin` for `Europe/Berln` or `Berlin`; null if no name is similar. */
export function meantTimeZone(word: string): string | null {
  const found = similarTimeZone(word) ?? names().cities.get(word.toLowerCase())
  // Abbreviations are not corrected, because they are all similar to each other: CEST, for example, is not a misspelled EST.
  return found ?? (word.includes('/') ? suggest(word, names().whole.values()) : null)
}

/** Whether a word is the name of a zone or its city, or a possibly misspelled name in an area such as `Europe/`. */
export function looksLikeTimeZone(word: string): boolean {
  const lower = word.toLowerCase()
  const { whole, cities, areas } = names()
  return whole.has(lower) || cities.has(lower) || (lower.includes('/') && areas.has(lower.replace(/\/.*$/s, '')))
}
