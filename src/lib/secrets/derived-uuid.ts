/** UUIDs that follow from what they stand for, so that whoever makes them again gets the same (RFC 9562, 5.8). */
import { createHash } from 'node:crypto'

/**
 * A UUID of version 8 in lower case, from SHA-256: nobody finds the text in it. It is as hard to guess as the text.
 * @param purpose keeps UUIDs apart that are made of the same text for different things
 */
export function derivedUuid(purpose: string, text: string): string {
  const bytes = createHash('sha256').update(`${purpose}\0${text}`).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
