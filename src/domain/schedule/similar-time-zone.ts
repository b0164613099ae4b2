/** Finds the time zone that a word names, also in another letter case. */
import { isTimeZone, legacyTimeZones, timeZones } from './time-zones.ts'

let byLowerCase: ReadonlyMap<string, string> | null = null

/** The name as the zone data spells it; null when none has these letters. */
export function similarTimeZone(word: string): string | null {
  if (isTimeZone(word)) return word
  byLowerCase ??= new Map([...legacyTimeZones.keys(), ...timeZones].map((name) => [name.toLowerCase(), name]))
  return byLowerCase.get(word.toLowerCase()) ?? null
}
