/** Validates and parses UUIDs in URLs. */

const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Returns true only for the lower-case form with hyphens. */
export function isUuid(text: string): boolean {
  return CANONICAL.test(text)
}

/** Source of a case-insensitive regular expression that matches a UUID with all, some or none of its hyphens. */
export const LOOSE_UUID = String.raw`[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}`

/** Returns the canonical form of a string that matches {@link LOOSE_UUID}; null for any other string. */
export function parseLooseUuid(text: string): string | null {
  return parseUuid(text.replaceAll('-', '').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'))
}

/** Returns the canonical form of a UUID in upper or lower case; null for any other string. */
export function parseUuid(text: string): string | null {
  const lower = text.toLowerCase()
  return isUuid(lower) ? lower : null
}
