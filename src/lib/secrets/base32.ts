/** Base32 (RFC 4648, 6) without padding. Base32 is easy to type, and authenticator apps support it. */

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function toBase32(bytes: Uint8Array): string {
  let [text, value, bits] = ['', 0, 0]
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) text += LETTERS.charAt((value >>> (bits - 5)) & 31)
    value &= (1 << bits) - 1
  }
  return bits > 0 ? text + LETTERS.charAt((value << (5 - bits)) & 31) : text
}

/**
 * @param text must be in upper case
 * @throws Error for any character that is not in the alphabet
 */
export function fromBase32(text: string): Uint8Array {
  const bytes: number[] = []
  let [value, bits] = [0, 0]
  for (const letter of text) {
    const five = LETTERS.indexOf(letter)
    if (five < 0) throw new Error('not base32')
    value = (value << 5) | five
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes.push((value >>> bits) & 255)
      value &= (1 << bits) - 1
    }
  }
  return Uint8Array.from(bytes)
}
