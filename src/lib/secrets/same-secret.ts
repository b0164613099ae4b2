/** Compares a secret that a client sent with the right one. */
import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares the digests of both secrets, which have equal lengths, so that the time does not show how much of a secret is right. */
export function isSameSecret(given: string, right: string): boolean {
  return timingSafeEqual(digest(given), digest(right))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
