/** Removes secrets from receivers' responses. Some services quote a key or a URL when they reject it. */

import { printable, within } from '../../lib/text/text.ts'

export const MASK = '••••'

/** Minimum length of a secret that is masked. Shorter secrets could match ordinary words. */
const SHORTEST = 4
/**
 * Minimum length of a part of a secret that is masked, such as the key in a URL. It is greater than {@link SHORTEST}, because parts are
 * more likely to match ordinary words.
 */
const SHORTEST_PART = 8

/** A function that masks secrets in a string. */
export interface Masker {
  (text: string): string
  /** length of the longest substring that can be masked, in UTF-16 code units; 0 if nothing is masked */
  readonly longest: number
}

/**
 * Replaces each secret with {@link MASK}, in all its forms: plain, as encoded in URLs, JSON, HTML or base64, and inside base64-encoded
 * credentials. Also replaces parts of secrets that appear alone, such as a URL's path or the credentials in a header.
 * @param secrets secrets of at least four characters; shorter ones are not masked
 */
export function maskerOf(secrets: readonly string[]): Masker {
  const forms = new Set(secrets.flatMap((secret) => [secret, ...partsOf(secret)]).flatMap(formsOf))
  const wanted = [...forms].filter((form) => form.length >= SHORTEST).toSorted((a, b) => b.length - a.length)
  const large = wanted.map((form) => form.toUpperCase())
  const pattern = new RegExp(wanted.map(escapePattern).join('|'), 'gi')
  const long = secrets.filter(({ length }) => length >= SHORTEST_PART)
  const mask = (text: string) => {
    const inLarge = text.toUpperCase()
    // Most strings contain no secret, so the pattern is used only if necessary. It is compiled on first use, which is the slowest step.
    const masked = large.some((form) => inLarge.includes(form)) ? text.replace(pattern, MASK) : text
    return masked.replace(BASE64, (word) => (holdsOneOf(long, word) ? MASK : word))
  }
  // Base64-encoded credentials also contain a user name.
  return Object.assign(mask, { longest: wanted[0] === undefined ? 0 : wanted[0].length * 2 + LOGIN_NAME })
}

/** Length reserved for the user name in base64-encoded credentials. */
const LOGIN_NAME = 400

/**
 * Returns the beginning of a long string without secrets. Searches only part of the string, because searching all of it would be slow.
 * @param limit UTF-16 code units
 */
export function maskedWithin(mask: Masker, text: string, limit: number): string {
  const looked = limit * LOOKED_THROUGH + mask.longest
  if (text.length <= looked) return within(mask(printable(text)).trim(), limit)
  // A secret that is cut off at the end is not found, so the text near the cut is not shown.
  const masked = mask(printable(text.slice(0, looked)))
  return within(`${masked.slice(0, Math.max(0, masked.length - mask.longest))}`.trim(), limit)
}

/** Length of the searched text, as a multiple of the limit. Masking shortens the text, so more of it must be read than is shown. */
const LOOKED_THROUGH = 2

const BASE64 = /[\w+/-]{12,}={0,2}/g

/**
 * Whether a base64 string contains a secret. Basic authentication encodes `user:secret` as a whole (RFC 7617), so a search for the encoded
 * secret alone would not find it.
 */
function holdsOneOf(secrets: readonly string[], base64: string): boolean {
  const text = Buffer.from(base64, 'base64').toString()
  return secrets.some((secret) => text.includes(secret))
}

function partsOf(secret: string): readonly string[] {
  const words = secret.split(/\s+/)
  const inUrl = URL.canParse(secret) ? partsOfUrl(new URL(secret)) : []
  return [...(words.length > 1 ? words : []), ...inUrl].filter((part) => part.length >= SHORTEST_PART)
}

function partsOfUrl({ pathname, search, searchParams, username, password }: URL): readonly string[] {
  const login = [username, password].flatMap((each) => [each, decoded(each)])
  const path = pathname.split('/').flatMap((each) => [each, decoded(each)])
  return [pathname + search, pathname, ...path, ...searchParams.values(), ...login]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function formsOf(text: string): readonly string[] {
  const wellFormed = text.toWellFormed()
  return [
    text,
    encodeURIComponent(wellFormed),
    encodeURI(wellFormed),
    new URLSearchParams({ '': wellFormed }).toString().slice(1),
    JSON.stringify(text).slice(1, -1),
    JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    // Removes the padding, because it would differ if more text followed.
    Buffer.from(text).toString('base64').replace(/=+$/, ''),
  ]
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
