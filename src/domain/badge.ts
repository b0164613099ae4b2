/** Badges: the signed URLs under which a project's status can be shown to the public. */
import { createHash, createHmac } from 'node:crypto'
import { isSameSecret } from './same-secret.ts'

export interface BadgeUrls {
  readonly svg: string
  readonly svg3: string
  readonly json: string
  readonly json3: string
  readonly shields: string
  readonly shields3: string
}

/** The tag that stands for all checks of a project. */
export const ALL_TAGS = '*'

const SIGNATURE_LENGTH = 8

/** First characters of a URL-safe base64 HMAC-SHA1; equal to the peer's, so that published badges survive a move. */
export function signBadge(badgeKey: string, tag: string, secret: string): string {
  const key = createHash('sha1')
    .update(badgeKey + secret)
    .digest()
  return createHmac('sha1', key).update(tag).digest('base64url').slice(0, SIGNATURE_LENGTH)
}

/** The six URLs of one tag: two states under `-2`, three states without. */
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

/** The badge of one check, named by a key that does not allow to ping. */
export function checkBadgeUrl(siteRoot: string, badgeKey: string): string {
  return `${siteRoot}/b/2/${badgeKey}.svg`
}

/** Twice, because servers in between decode a path once and a slash in a tag must survive that. */
function encodeTag(tag: string): string {
  return encodeStrictly(encodeStrictly(tag))
}

/**
 * The tag that a signed URL names; null when the signature is of another one. A proxy may have undone none, one or both of
 * the encodings: whichever text was signed is the tag.
 * @param encoded as it stands in the URL
 */
export function signedTag(badgeKey: string, signature: string, encoded: string, secret: string): string | null {
  const once = decode(encoded)
  const twice = once === null ? null : decode(once)
  const isSigned = (tag: string) => isSameSecret(signature, signBadge(badgeKey, tag, secret))
  return [twice, once, encoded].find((tag) => tag !== null && isSigned(tag)) ?? null
}

/** Null for what is no percent-encoded UTF-8. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Only letters, digits and `_ . - ~` stay plain (RFC 3986, 2.3). */
export function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}
