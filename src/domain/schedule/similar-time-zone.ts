/** Finds the time zone that a word names or means. */
import { suggest } from '../../lib/text/suggest.ts'
import { isTimeZone, legacyTimeZones, timeZones } from './time-zones.ts'

interface Names {
  /** by their letters in lower case */
  readonly whole: ReadonlyMap<string, string>
  /** by their last part in lower case, such as `berlin` */
  readonly cities: ReadonlyMap<string, string>
  /** first parts in lower case, such as `europe` */
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

/** The name as the zone data spells it; null when none has these letters. */
export function similarTimeZone(word: string): string | null {
  return isTimeZone(word) ? word : (names().whole.get(word.toLowerCase()) ?? null)
}

/** The zone that a mistyped word means: `Europe/Berlin` for `Europe/Berln` and `Berlin`; null when none is close. */
export function meantTimeZone(word: string): string | null {
  const found = similarTimeZone(word) ?? names().cities.get(word.toLowerCase())
  // Abbreviations are close to each other: CEST is none of EST.
  return found ?? (word.includes('/') ? suggest(word, names().whole.values()) : null)
}

/** True for the name of a zone, that of its city, and a mistyped name in an area such as `Europe/`. */
export function looksLikeTimeZone(word: string): boolean {
  const lower = word.toLowerCase()
  const { whole, cities, areas } = names()
  return whole.has(lower) || cities.has(lower) || (lower.includes('/') && areas.has(lower.replace(/\/.*$/s, '')))
}
