/** Random texts for keys, ids and the like. */

/** @returns `length` uniformly random bytes */
export type RandomBytes = (length: number) => Uint8Array

export const SMALL_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Creates a text in which each letter of the alphabet is equally likely at each place. @param alphabet at most 256 letters */
export function randomText(length: number, alphabet: string, randomBytes: RandomBytes): string {
  // Bytes beyond the last whole multiple would favour the first letters.
  const fair = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < fair && text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}
