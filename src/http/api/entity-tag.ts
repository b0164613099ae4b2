/** Conditional requests (RFC 9110, 13): who already has what would be sent is told so. */
import { createHash } from 'node:crypto'
import { JSON_TYPE } from '../json-list.ts'

/** Of every answer with an `ETag`: it depends on the key, so no proxy keeps it, and others ask before they use it again. */
export const CONDITIONAL = {
  ...JSON_TYPE,
  'cache-control': 'private, no-cache',
  vary: 'X-Api-Key',
} as const

/** A strong tag for what `text` names: the bytes that are sent, or what they follow from. */
export function tagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
}

/** Whether `If-None-Match` names the tag; by weak comparison, since proxies that compress weaken tags (RFC 9110, 13.1.2). */
export function isKnown(request: Request, tag: string): boolean {
  const given = request.headers.get('if-none-match')
  if (given === null) return false
  return given.trim() === '*' || given.split(',').some((item) => item.trim().replace(/^W\//, '') === tag)
}

export function notModified(tag: string): Response {
  const { 'content-type': _, ...headers } = CONDITIONAL
  return new Response(null, { status: 304, headers: { ...headers, etag: tag } })
}

/** An answer of JSON that is at hand, or 304 in its place. */
export function conditionalJson(request: Request, value: unknown): Response {
  const text = JSON.stringify(value)
  const tag = tagOf(text)
  return isKnown(request, tag) ? notModified(tag) : new Response(text, { headers: { ...CONDITIONAL, etag: tag } })
}
