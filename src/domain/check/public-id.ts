/** Public ids: the part of a page's address that identifies a check. Unlike the UUID, a public id gives no access. */
import { type RandomBytes, randomText, SMALL_AND_DIGITS } from '../../lib/secrets/random-text.ts'

const LENGTH = 8

/** Returns eight letters and digits, in lower case. */
export function makePublicId(randomBytes: RandomBytes): string {
  return randomText(LENGTH, SMALL_AND_DIGITS, randomBytes)
}

const DIGITS = 36

/** Returns the id to try if `publicId` is taken. All ids form a cycle. */
export function followingPublicId(publicId: string): string {
  const next = (Number.parseInt(publicId, DIGITS) + 1) % DIGITS ** LENGTH
  return next.toString(DIGITS).padStart(LENGTH, '0')
}

/** Whether a text may be a public id; other texts need no look-up. */
export function isPublicId(text: string): boolean {
  return /^[a-z0-9]{8}$/.test(text)
}
