/** Compares a secret sent by a client with the correct one. */
import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * Compares the digests of both secrets. They have the same length, so the time taken by the comparison does not reveal how much of a secret
 * is correct.
 */
export function isSameSecret(given: string, right: string): boolean {
  return timingSafeEqual(digest(given), digest(right))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
