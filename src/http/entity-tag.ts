/** Tags of answers: a client that already has one gets 304 (RFC 9110, 13). */
import { createHash } from 'node:crypto'
import { JSON_TYPE } from './headers.ts'

/** Returns a strong tag. @param text the bytes that are sent, or everything that they depend on */
export function tagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
}

/** Whether `If-None-Match` contains the tag, by weak comparison: proxies that compress weaken tags (RFC 9110, 13.1.2). */
export function isKnown(request: Request, tag: string): boolean {
  const given = request.headers.get('if-none-match')
  if (given === null) return false
  return given.trim() === '*' || given.split(',').some((item) => item.trim().replace(/^W\//, '') === tag)
}

/** Headers of API answers with an `ETag`. They depend on the key, so proxies must not keep them, and clients must revalidate them. */
export const CONDITIONAL = {
  ...JSON_TYPE,
  'cache-control': 'private, no-cache',
  vary: 'X-Api-Key',
} as const

/** Returns the API's answer to a client that has the tag. */
export function notModified(tag: string): Response {
  const { 'content-type': _, ...headers } = CONDITIONAL
  return new Response(null, { status: 304, headers: { ...headers, etag: tag } })
}

/** Returns an answer of the API: the value as JSON, or 304 if the client has it. */
export function conditionalJson(request: Request, value: unknown): Response {
  const text = JSON.stringify(value)
  const tag = tagOf(text)
  return isKnown(request, tag) ? notModified(tag) : new Response(text, { headers: { ...CONDITIONAL, etag: tag } })
}
