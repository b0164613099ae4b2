/** Tags of answers: a client that already has one gets 304 (RFC 9110, 13). */
import { createHash } from 'node:crypto'

/** A strong tag. @param text the bytes that are sent, or all that they depend on */
export function tagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
}

/** Whether `If-None-Match` names the tag; by weak comparison, since proxies that compress weaken tags (RFC 9110, 13.1.2). */
export function isKnown(request: Request, tag: string): boolean {
  const given = request.headers.get('if-none-match')
  if (given === null) return false
  return given.trim() === '*' || given.split(',').some((item) => item.trim().replace(/^W\//, '') === tag)
}
