/** Badges: signed URLs that show a project's status to the public. */
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

/** Number of states that a badge distinguishes. With two, a check in its grace time counts as up. */
export type BadgeStates = 2 | 3

/** The tag that selects all checks of a project. */
export const ALL_TAGS = '*'

const SIGNATURE_LENGTH = 8

/** Returns the first characters of a URL-safe base64 HMAC-SHA1. Healthchecks computes the same, so published badges survive a move. */
export function signBadge(badgeKey: string, tag: string, secret: string): string {
  const key = createHash('sha1')
    .update(badgeKey + secret)
    .digest()
  return createHmac('sha1', key).update(tag).digest('base64url').slice(0, SIGNATURE_LENGTH)
}

/** Returns the six URLs of one tag: with `-2` a badge has two states, without it three. */
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

/** Returns the badge URL of one check, identified by a key that can't be used to ping. */
export function checkBadgeUrl(
  siteRoot: string,
  badgeKey: string,
  states: BadgeStates = 2,
  format: BadgeFormat = 'svg',
): string {
  return `${siteRoot}/b/${states}/${badgeKey}.${format}`
}

/** Encodes a tag twice: proxies decode a path once, and a slash in the tag must survive that. */
function encodeTag(tag: string): string {
  return encodeStrictly(encodeStrictly(tag))
}

/**
 * Returns the tag of a signed URL; null if the signature belongs to another tag. The reading that fits the signature is the tag.
 * @param encoded the tag as in the URL
 */
export function signedTag(badgeKey: string, signature: string, encoded: string, secret: string): string | null {
  const isSigned = (tag: string) => isSameSecret(signature, signBadge(badgeKey, tag, secret))
  return tagReadings(encoded).find(isSigned) ?? null
}

/** Returns the possible readings of a tag in a URL: a proxy may have undone neither, one or both of the encodings. */
export function tagReadings(encoded: string): readonly string[] {
  const once = decode(encoded)
  const twice = once === null ? null : decode(once)
  return [...new Set([twice, once, encoded].filter((tag) => tag !== null))]
}

/** Returns null for text that is not percent-encoded UTF-8. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Encodes everything but letters, digits and `_ . - ~` (RFC 3986, 2.3). */
export function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}
