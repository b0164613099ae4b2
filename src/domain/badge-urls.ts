/** Badges: signed URLs that show a project's status to anyone who knows the URL. */
import { createHash, createHmac } from 'node:crypto'
import { isSameSecret } from '../lib/secrets/same-secret.ts'

export interface BadgeUrls {
  readonly svg: string
  readonly svg3: string
  readonly json: string
  readonly json3: string
  readonly shields: string
  readonly shields3: string
}

export const BADGE_FORMATS = ['svg', 'json', 'shields'] as const
export type BadgeFormat = (typeof BADGE_FORMATS)[number]

/** Number of statuses that a badge can show. A badge with two statuses shows a check as up during its grace time. */
export type BadgeStates = 2 | 3

/** The tag for a badge that covers all of a project's checks. */
export const ALL_TAGS = '*'

const SIGNATURE_LENGTH = 8

/**
 * Returns a badge's signature: the first characters of an HMAC-SHA1 in URL-safe base64. Healthchecks uses the same signature, so existing
 * badge URLs still work after a migration.
 */
export function signBadge(badgeKey: string, tag: string, secret: string): string {
  const key = createHash('sha1')
    .update(badgeKey + secret)
    .digest()
  return createHmac('sha1', key).update(tag).digest('base64url').slice(0, SIGNATURE_LENGTH)
}

/** Returns the six URLs for a tag. URLs with `-2` show two statuses, and the others show three. */
export function badgeUrls(siteRoot: string, badgeKey: string, tag: string, secret: string): BadgeUrls {
  const signed = `${siteRoot}/badge/${badgeKey}/${signBadge(badgeKey, tag, secret)}`
  const url = (states: string, format: string) =>
    `${signed}${states}${tag === ALL_TAGS ? '' : `/${encodeTag(tag)}`}.${format}`
  return {
    svg: url('-2', 'svg'),
    svg3: url('', 'svg'),
    json: url('-2', 'json'),
    json3: url('', 'json'),
    shields: url('-2', 'shields'),
    shields3: url('', 'shields'),
  }
}

/** Returns a check's badge URL. It contains a key that can't be used to ping the check. */
export function checkBadgeUrl(
  siteRoot: string,
  badgeKey: string,
  states: BadgeStates = 2,
  format: BadgeFormat = 'svg',
): string {
  return `${siteRoot}/b/${states}/${badgeKey}.${format}`
}

/** Encodes a tag twice, because proxies decode a path once and a slash in the tag must remain encoded. */
function encodeTag(tag: string): string {
  return encodeStrictly(encodeStrictly(tag))
}

/**
 * Returns the tag in a signed URL. `encoded` can be decoded in several ways; the tag is the result that matches the signature. Null if none
 * matches.
 * @param encoded the tag as it appears in the URL
 */
export function signedTag(badgeKey: string, signature: string, encoded: string, secret: string): string | null {
  const isSigned = (tag: string) => isSameSecret(signature, signBadge(badgeKey, tag, secret))
  return tagReadings(encoded).find(isSigned) ?? null
}

/** Returns the possible tags for an encoded part of a URL. Tags are encoded twice, and a proxy may have decoded the URL once or twice. */
export function tagReadings(encoded: string): readonly string[] {
  const once = decode(encoded)
  const twice = once === null ? null : decode(once)
  return [...new Set([twice, once, encoded].filter((tag) => tag !== null))]
}

/** Decodes percent-encoded text. Returns null if it is not percent-encoded UTF-8. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Percent-encodes all characters except letters, digits and `_ . - ~` (RFC 3986, 2.3). */
export function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}
