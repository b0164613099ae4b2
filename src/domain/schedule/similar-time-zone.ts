/** Finds the time zone that a word names, also in another letter case. */
import { canonicalTimeZone, legacyTimeZones, timeZones } from './time-zones.ts'

let byLowerCase: ReadonlyMap<string, string> | null = null

/** The name as the zone data spells it; null when none has these letters. */
export function similarTimeZone(word: string): string | null {
  const exact = canonicalTimeZone(word)
  if (exact !== null) return exact
  byLowerCase ??= new Map(
    [...legacyTimeZones, ...timeZones.map((name) => [name, name] as const)].map(([name, now]) => [
      name.toLowerCase(),
      now,
    ]),
  )
  return byLowerCase.get(word.toLowerCase()) ?? null
}
