/**
 * Rules for passwords. `common-passwords.txt` lists the most common passwords of at least 10 characters, one per line, in lower case. They
 * come from the lists of Django 5.2 (BSD-3-Clause) and @zxcvbn-ts/language-common 4.1 (MIT), whose licences are in
 * `scripts/common-passwords-licences.md`.
 */
import { normalizePassword } from '../../lib/secrets/password-hasher.ts'
import { codePoints } from '../schema.ts'
import commonest from './common-passwords.txt' with { type: 'text' }

/** Minimum length in code points, excluding leading and trailing whitespace. */
const PASSWORD_MINIMUM = 10
/** Maximum length in code points. It also limits how long hashing takes. */
const PASSWORD_LIMIT = 1_000

/**
 * Checks a new password. Ignores case and surrounding whitespace, because attackers try those variations first.
 * @returns what is wrong and how to fix it, worded to follow "the password": `is too short; use at least 10 characters`; null if the
 * password is accepted
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

/** Whether a password is one of the most common ones. Loads the list on first use, because most runs of the program never need it. */
function isCommon(text: string): boolean {
  known ??= new Set(commonest.trimEnd().split('\n'))
  return known.has(text)
}
