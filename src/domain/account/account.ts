/** An account: a person who signs in, and the projects they are a member of. */
import type { Instant } from '../../lib/time.ts'
import { MAIL_ADDRESS_PATTERN } from '../email-address.ts'
import { Refusal } from '../errors.ts'
import { fits, Text } from '../schema.ts'
import type { MorningMail } from './morning-setting.ts'
import type { Role } from './role.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** Row heights of the list of checks. */
export const LIST_ROWS = ['dense', 'roomy'] as const
export type ListRows = (typeof LIST_ROWS)[number]

/** Pictures that a list of checks can show at the end of each row. */
export const LIST_PICTURES = ['runs', '24h'] as const
export type ListPicture = (typeof LIST_PICTURES)[number]

export interface Account {
  /** lower-case UUID */
  readonly id: string
  /** in lower case */
  readonly email: string
  /** false: the person who created the account, or changed its email, may have typed somebody else's address */
  readonly isEmailConfirmed: boolean
  /** argon2id in PHC format; null: no sign-in by password */
  readonly passwordHash: string | null
  /** true: the person has the rights of an owner in every project */
  readonly isAdministrator: boolean
  /** IANA time zone in which pages show times */
  readonly tz: string
  readonly theme: Theme
  /** false: the person has turned keyboard shortcuts off */
  readonly hasShortcuts: boolean
  /** when to send the morning mail; null: never */
  readonly morningMail: MorningMail | null
  /** row height of the list of checks */
  readonly listRows: ListRows
  /** picture at the end of each row in the list of checks */
  readonly listPicture: ListPicture
  readonly createdAt: Instant
  /** true: an administrator suspended the account: nobody can sign in to it, and its sessions have ended */
  readonly isSuspended: boolean
  /** authenticator app used as the second factor; null: none */
  readonly totp: Totp | null
  /** last visit, to within five minutes; null: never */
  readonly lastSeenAt: Instant | null
}

/**
 * Returns the account after its owner opened a link mailed to its address. If the address was not confirmed until then, removes the
 * password and the authenticator app, because a stranger may have set them.
 */
export function withProvenEmail(account: Account): Account {
  return account.isEmailConfirmed ? account : { ...account, isEmailConfirmed: true, passwordHash: null, totp: null }
}

/** Time-based codes (RFC 6238). */
export interface Totp {
  /** base32 (RFC 4648) */
  readonly secret: string
  /** time step of the last accepted code, because no code may be used twice; null: none was accepted */
  readonly usedStep: number | null
}

/** An account's membership in a project. */
export interface Member {
  readonly accountId: string
  readonly projectId: string
  readonly role: Role
  readonly createdAt: Instant
}

export const EMAIL_LIMIT = 254
/** A syntactically valid email address. Only its mail server knows whether the mailbox exists. */
export const Email = Text({
  maxLength: EMAIL_LIMIT,
  pattern: MAIL_ADDRESS_PATTERN,
  means: 'an email address',
})

/** Returns an email as it is stored. Mail is sent to the stored form, so a mailed link proves that form. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase()
}

/**
 * Returns the stored form of an email that must match exactly, such as one for which an OpenID provider vouches. Ignores only the case of
 * ASCII letters: two texts that differ otherwise may be the addresses of two people. The lower case of U+212A KELVIN SIGN, for example, is
 * k.
 * @returns null for a text that is not an email or has capitals outside ASCII
 */
export function exactEmail(text: string): string | null {
  const email = text.replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
  return fits(Email, email) && email === normalizeEmail(email) ? email : null
}

export function accountExists(email: string): Refusal {
  return new Refusal('account-exists', `an account of ${email} exists already`, { name: email })
}

/** @param meant the email of an account with a similar name, as a hint for people who may see all accounts */
export function accountNotFound(name: string, meant?: string): Refusal {
  return new Refusal('account-not-found', `there is no account of "${name}"`, { name, meant })
}
