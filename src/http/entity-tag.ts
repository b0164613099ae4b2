/** Entity tags. A client that already has the current response gets 304 (RFC 9110, 13). */
import { createHash } from 'node:crypto'
import { JSON_TYPE } from './headers.ts'

/**
 * Returns a strong tag.
 * @param text the response, or everything that the response depends on
 */
export function tagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
}

/**
 * Returns whether `If-None-Match` contains the tag. The comparison is weak, because proxies that compress responses weaken their tags (RFC
 * 9110, 13.1.2).
 */
export function isKnown(request: Request, tag: string): boolean {
  const given = request.headers.get('if-none-match')
  if (given === null) return false
  return given.trim() === '*' || given.split(',').some((item) => item.trim().replace(/^W\//, '') === tag)
}

/**
 * Headers for API responses with an `ETag`. Such a response depends on the key, so proxies must not cache it and clients must revalidate
 * it.
 */
export const CONDITIONAL = {
  ...JSON_TYPE,
  'cache-control': 'private, no-cache',
  vary: 'X-Api-Key',
} as const

/** Returns the API's 304 response to a client that has the current version. */
export function notModified(tag: string): Response {
  const { 'content-type': _, ...headers } = CONDITIONAL
  return new Response(null, { status: 304, headers: { ...headers, etag: tag } })
}

/** Returns the value as JSON, or a 304 response if the client already has the current version. */
export function conditionalJson(request: Request, value: unknown): Response {
  const text = JSON.stringify(value)
  const tag = tagOf(text)
  return isKnown(request, tag) ? notModified(tag) : new Response(text, { headers: { ...CONDITIONAL, etag: tag } })
}
