/** Public ids identify a check in the URLs of its pages. Unlike the UUID, a public id is not enough to ping the check. */
import { type RandomBytes, randomText, SMALL_AND_DIGITS } from '../../lib/secrets/random-text.ts'

const LENGTH = 8

/** Returns eight lowercase letters and digits. */
export function makePublicId(randomBytes: RandomBytes): string {
  return randomText(LENGTH, SMALL_AND_DIGITS, randomBytes)
}

const DIGITS = 36

/** Returns the id to try next if `publicId` is taken. The ids form a single cycle. */
export function followingPublicId(publicId: string): string {
  const next = (Number.parseInt(publicId, DIGITS) + 1) % DIGITS ** LENGTH
  return next.toString(DIGITS).padStart(LENGTH, '0')
}

/** Whether a string looks like a public id. If it does not, no lookup is needed. */
export function isPublicId(text: string): boolean {
  return /^[a-z0-9]{8}$/.test(text)
}
