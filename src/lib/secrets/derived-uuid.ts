/** UUIDs derived from strings (RFC 9562, 5.8). The same string always results in the same UUID. */
import { createHash } from 'node:crypto'

/**
 * Derives a lower-case version 8 UUID with SHA-256. The string can't be computed from the UUID, and the UUID is as hard to guess as the
 * string.
 * @param purpose the same string gives a different UUID for each purpose
 */
export function derivedUuid(purpose: string, text: string): string {
  const bytes = createHash('sha256').update(`${purpose}\0${text}`).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
