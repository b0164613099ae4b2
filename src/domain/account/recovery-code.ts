/** Recovery codes for users who have lost their authenticator app. Each code works once. */
import { createHash } from 'node:crypto'
import { toBase32 } from '../../lib/secrets/base32.ts'

export const RECOVERY_CODES = 10

/** Length of a code, in bytes. 80 random bits can't be guessed, so a fast hash is enough to protect a stored code. */
const BYTES = 10

/** Returns a code of sixteen letters and digits in groups of four, such as `abcd-efgh-2345-wxyz`. */
export function makeRecoveryCode(randomBytes: (length: number) => Uint8Array): string {
  const letters = toBase32(randomBytes(BYTES)).toLowerCase()
  return (letters.match(/.{4}/g) ?? []).join('-')
}

/**
 * Returns the SHA-256 hash of a code in hex. Codes are stored only as hashes.
 * @param text the code as the user typed it, in any case, with or without spaces and hyphens
 */
export function recoveryLookup(text: string): string {
  const letters = text.toLowerCase().replace(/[\s-]/g, '')
  return createHash('sha256').update(letters).digest('hex')
}
