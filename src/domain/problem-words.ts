/** Describes what is wrong with a value to a user at a terminal. The API has its own messages. */
import type { Problem, Violation } from './schema.ts'

const WORDS: Partial<Record<Violation, string>> = {
  mismatch: 'is not in the expected format',
  'bad format': 'is not in the expected format',
  'bad character': 'contains a NUL character or half of a surrogate pair',
  empty: 'is empty: name one at least, or leave it out',
  unexpected: 'is not one of the allowed values',
  unknown: 'is not a known field',
}

/** Returns a phrase such as `timeout is too small (60 to 31536000)`. */
export function problemInWords({ path, violation, accepted, means }: Problem): string {
  const what = means === undefined ? (WORDS[violation] ?? `is ${violation}`) : `is not ${means}`
  const words = `${path.slice(1) || 'the value'} ${what}`
  return accepted === undefined ? words : `${words} (${accepted})`
}
