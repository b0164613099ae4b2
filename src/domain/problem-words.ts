/** What is wrong with a value, for a person at a terminal; the API has words of its own. */
import type { Problem, Violation } from './schema.ts'

/** Most violations are words already. */
const WORDS: Partial<Record<Violation, string>> = {
  mismatch: 'not in the right form',
  'bad format': 'not in the right form',
  unexpected: 'not one of the possible values',
  unknown: 'not a known field',
}

/** `timeout is too small (60 to 31536000)` */
export function problemInWords({ path, violation, accepted }: Problem): string {
  const words = `${path.slice(1) || 'the value'} is ${WORDS[violation] ?? violation}`
  return accepted === undefined ? words : `${words} (${accepted})`
}
