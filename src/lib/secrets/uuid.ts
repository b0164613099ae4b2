/** UUIDs as they appear in URLs. */

const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** True for the lower-case hyphenated form only. */
export function isUuid(text: string): boolean {
  return CANONICAL.test(text)
}

/** The canonical form of a UUID in upper or lower case; null for any other text. */
export function parseUuid(text: string): string | null {
  const lower = text.toLowerCase()
  return isUuid(lower) ? lower : null
}
