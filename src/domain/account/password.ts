/**
 * Which passwords are accepted. `common-passwords.txt` holds the commonest ones of at least 10 characters, one on each line, in
 * lower case. They come from the lists of Django 5.2 (BSD-3-Clause) and of @zxcvbn-ts/language-common 4.1 (MIT), whose licences are
 * in `scripts/common-passwords-licences.md`.
 */
import { normalizePassword } from '../../lib/secrets/password-hasher.ts'
import { codePoints } from '../schema.ts'
import commonest from './common-passwords.txt' with { type: 'text' }

/** In code points, without blanks at the ends. */
const PASSWORD_MINIMUM = 10
/** In code points; a form accepts no more than that, so hashing is bounded too. */
const PASSWORD_LIMIT = 1_000

/**
 * Compared without regard to case and to blanks at the ends, which a guesser varies first.
 * @returns what is wrong and what to use instead, to follow "the password": `is too short; use at least 10 characters`; null for a
 *   password that is accepted
 */
export function passwordProblem(password: string, email: string): string | null {
  const normal = normalizePassword(password)
  if (codePoints(normal.trim()) < PASSWORD_MINIMUM) return `is too short; use at least ${PASSWORD_MINIMUM} characters`
  if (codePoints(normal) > PASSWORD_LIMIT) return `is too long; use at most ${PASSWORD_LIMIT} characters`
  const text = comparable(password)
  const address = comparable(email)
  if (text === address || text === address.slice(0, address.lastIndexOf('@'))) {
    return 'is the email address or a part of it; use one that nobody can guess'
  }
  if (new Set(text).size === 1) return 'is one character repeated; use one that nobody can guess'
  return isCommon(text) ? 'is one of the commonest, which are guessed first; use another one' : null
}

function comparable(text: string): string {
  return normalizePassword(text).trim().toLowerCase()
}

let known: ReadonlySet<string> | null = null

/** The set is made at its first use, because most runs of the program choose no password. */
function isCommon(text: string): boolean {
  known ??= new Set(commonest.trimEnd().split('\n'))
  return known.has(text)
}
