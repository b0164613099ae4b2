/** Random strings, for example for keys and IDs. */

/** @returns `length` uniformly distributed random bytes */
export type RandomBytes = (length: number) => Uint8Array

export const SMALL_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/**
 * Creates a random string in which all letters of the alphabet are equally likely.
 * @param alphabet at most 256 letters
 */
export function randomText(length: number, alphabet: string, randomBytes: RandomBytes): string {
  // Skips bytes above the largest multiple of the alphabet's length, because they would make its first letters more likely.
  const fair = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < fair && text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}
