/** Comparing what a stranger sent with what is right. */
import { createHash, timingSafeEqual } from 'node:crypto'

/** Takes as long for a near miss as for a far one: digests are compared, which are of equal length. */
export function isSameSecret(given: string, right: string): boolean {
  return timingSafeEqual(digest(given), digest(right))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
