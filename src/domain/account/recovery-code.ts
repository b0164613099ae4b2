/** Recovery codes: each signs in once, for people who have lost their authenticator app. */
import { createHash } from 'node:crypto'
import { toBase32 } from '../../lib/secrets/base32.ts'

export const RECOVERY_CODES = 10

/** 80 bits can't be guessed, so a plain hash hides them. */
const BYTES = 10

/** Returns sixteen letters and digits in groups of four: `abcd-efgh-2345-wxyz`. */
export function makeRecoveryCode(randomBytes: (length: number) => Uint8Array): string {
  const letters = toBase32(randomBytes(BYTES)).toLowerCase()
  return (letters.match(/.{4}/g) ?? []).join('-')
}

/**
 * Returns the value under which a code is stored: SHA-256 in hex.
 * @param text the code as typed, in any case, with or without blanks and hyphens
 */
export function recoveryLookup(text: string): string {
  const letters = text.toLowerCase().replace(/[\s-]/g, '')
  return createHash('sha256').update(letters).digest('hex')
}
