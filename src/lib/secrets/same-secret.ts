/** Compares a secret that a client sent with the right one. */
import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares two secrets by digests of equal lengths, so that a near miss takes as long as a far one. */
export function isSameSecret(given: string, right: string): boolean {
  return timingSafeEqual(digest(given), digest(right))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
