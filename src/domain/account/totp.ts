/** Authenticator app codes: RFC 6238 with SHA-1, six digits and 30-second steps, which every app supports. */
import { createHmac } from 'node:crypto'
import { fromBase32, toBase32 } from '../../lib/secrets/base32.ts'
import { isSameSecret } from '../../lib/secrets/same-secret.ts'
import { type Instant, toMicroseconds } from '../../lib/time.ts'

const STEP_MICROSECONDS = 30_000_000
const DIGITS = 6
/** Length of a secret, in bytes: the length of a SHA-1 digest, as RFC 4226 recommends. */
const SECRET_BYTES = 20
/**
 * Accepted time steps: the current one, the previous one and the next one, because clocks can be half a minute off and it takes time to
 * type a code.
 */
const STEPS_BESIDE = [-1, 0, 1]

/** Creates a random secret. @returns base32 */
export function makeTotpSecret(randomBytes: (length: number) => Uint8Array): string {
  return toBase32(randomBytes(SECRET_BYTES))
}

export function totpStep(now: Instant): number {
  return Math.floor(toMicroseconds(now) / STEP_MICROSECONDS)
}

/** Returns the code for a time step (RFC 4226, 5.3). @param secret base32 */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = digest.readUInt8(digest.length - 1) & 0xf
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/**
 * Finds the time step that a code belongs to. Takes equally long for right and wrong codes.
 * @param code without spaces
 * @returns null for a wrong code
 */
export function findTotpStep(secret: string, code: string, now: Instant): number | null {
  const current = totpStep(now)
  const matching = STEPS_BESIDE.map((beside) => current + beside).filter((step) =>
    isSameSecret(code, totpCode(secret, step)),
  )
  return matching.at(-1) ?? null
}

/** Removes whitespace and hyphens from a code that a user typed. Apps display codes in groups of digits. */
export function withoutBlanks(text: string): string {
  return text.replace(/[\s-]/g, '')
}

/**
 * Whether a string looks like an authenticator app's code, rather than a recovery code.
 * @param text without spaces
 */
export function isTotpCode(text: string): boolean {
  return /^\d{6}$/.test(text)
}

/**
 * Returns the URL to encode in the QR code.
 * @param siteName name of the entry in the app
 */
export function totpUrl(secret: string, siteName: string, email: string): string {
  // Apps split the label at the first colon.
  const issuer = siteName.replaceAll(':', ' ').trim()
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}
