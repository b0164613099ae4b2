/** UUIDs as they appear in URLs. */

const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** True for the lower-case hyphenated form only. */
export function isUuid(text: string): boolean {
  return CANONICAL.test(text)
}

/** The source of a regular expression without case: a UUID with all its hyphens, or without some. */
export const LOOSE_UUID = String.raw`[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}`

/** The canonical form of what {@link LOOSE_UUID} matches; null for any other text. */
export function parseLooseUuid(text: string): string | null {
  return parseUuid(text.replaceAll('-', '').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'))
}

/** The canonical form of a UUID in upper or lower case; null for any other text. */
export function parseUuid(text: string): string | null {
  const lower = text.toLowerCase()
  return isUuid(lower) ? lower : null
}
