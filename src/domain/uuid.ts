/** UUIDs as they stand in URLs. */

const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** True for the lower-case hyphenated form only. */
export function isUuid(text: string): boolean {
  return CANONICAL.test(text)
}

/** A run id in either case as its canonical form; null when it is none. */
export function parseRid(text: string): string | null {
  const lower = text.toLowerCase()
  return isUuid(lower) ? lower : null
}
