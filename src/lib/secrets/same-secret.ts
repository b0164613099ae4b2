/** Compares a secret that a client sent with the right one. */
import { createHash, timingSafeEqual } from 'node:crypto'

/** Takes the same time for a near miss as for a far one: it compares digests, which have equal lengths. */
export function isSameSecret(given: string, right: string): boolean {
  return timingSafeEqual(digest(given), digest(right))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
