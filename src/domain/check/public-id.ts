/** Public ids: the part of a page's address that names a check. Unlike the UUID, it allows nothing. */
import { type RandomBytes, randomText, SMALL_AND_DIGITS } from '../../lib/secrets/random-text.ts'

const LENGTH = 8

/** Eight letters and digits, in lower case. */
export function makePublicId(randomBytes: RandomBytes): string {
  return randomText(LENGTH, SMALL_AND_DIGITS, randomBytes)
}

const DIGITS = 36

/** The one to take if `publicId` is taken: all of them follow one another, in a circle. */
export function followingPublicId(publicId: string): string {
  const next = (Number.parseInt(publicId, DIGITS) + 1) % DIGITS ** LENGTH
  return next.toString(DIGITS).padStart(LENGTH, '0')
}

/** Whether a text may be a public id; other texts need no look-up. */
export function isPublicId(text: string): boolean {
  return /^[a-z0-9]{8}$/.test(text)
}
