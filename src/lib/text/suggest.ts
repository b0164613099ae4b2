/** Suggests the correct word for a mistyped one. */
import { closest } from './spelling.ts'

/** @returns the most similar candidate, ignoring case; null if none is similar enough */
export function suggest(typed: string, candidates: Iterable<string>): string | null {
  const byLowerCase = new Map<string, string>()
  for (const candidate of candidates) {
    const lower = candidate.toLowerCase()
    if (!byLowerCase.has(lower)) byLowerCase.set(lower, candidate)
  }
  const maxEdits = Math.max(1, Math.floor(typed.length / 3))
  const found = closest(typed.toLowerCase(), byLowerCase.keys(), maxEdits)
  return found === undefined ? null : (byLowerCase.get(found) ?? null)
}
