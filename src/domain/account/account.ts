/** An account: a user who can sign in, and the projects they belong to. */
import type { Instant } from '../../lib/time.ts'
import { MAIL_ADDRESS_PATTERN } from '../email-address.ts'
import { Refusal } from '../errors.ts'
import { fits, Text } from '../schema.ts'
import type { MorningMail } from './morning-setting.ts'
import type { Role } from './role.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** Row heights for lists of checks. */
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
  /** false: the email may belong to somebody else, because the user has not opened a link mailed to it */
  readonly isEmailConfirmed: boolean
  /** argon2id in PHC format; null: no sign-in by password */
  readonly passwordHash: string | null
  /** true: the user has the rights of an owner in every project */
  readonly isAdministrator: boolean
  /** IANA time zone used to show times on pages */
  readonly tz: string
  readonly theme: Theme
  /** false: the user turned keyboard shortcuts off */
  readonly hasShortcuts: boolean
  /** when to send the morning mail; null: never */
  readonly morningMail: MorningMail | null
  /** row height of the list of checks */
  readonly listRows: ListRows
  /** picture at the end of each row in the list of checks */
  readonly listPicture: ListPicture
  readonly createdAt: Instant
  /** true: an administrator suspended the account, which ended its sessions and blocks sign-in */
  readonly isSuspended: boolean
  /** authenticator app used as the second factor; null: none */
  readonly totp: Totp | null
  /** time of the last visit, accurate to five minutes; null: never */
  readonly lastSeenAt: Instant | null
}

/**
 * Returns the account's new state after its owner opened a mailed link. If the address was not confirmed before, removes the password and
 * the authenticator app, because a stranger may have set them up.
 */
export function withProvenEmail(account: Account): Account {
  return account.isEmailConfirmed ? account : { ...account, isEmailConfirmed: true, passwordHash: null, totp: null }
}

/** Time-based codes (RFC 6238). */
export interface Totp {
  /** base32 (RFC 4648) */
  readonly secret: string
  /** time step of the last accepted code, so that the code can't be reused; null: no code was accepted yet */
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

/**
 * Returns the form in which an email is stored. Mail is sent to the stored form, so opening a mailed link proves that the user owns that
 * address.
 */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase()
}

/**
 * Returns the stored form of an email that must match exactly, such as one verified by an OpenID provider. Only the case of ASCII letters
 * is ignored, because emails that differ in other ways may belong to two people. For example, U+212A KELVIN SIGN becomes k in lower case.
 * @returns null if the text is not an email or has capital letters outside ASCII
 */
export function exactEmail(text: string): string | null {
  const email = text.replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
  return fits(Email, email) && email === normalizeEmail(email) ? email : null
}

export function accountExists(email: string): Refusal {
  return new Refusal('account-exists', `an account of ${email} exists already`, { name: email })
}

/** @param meant the email of an account with a similar name, shown as a hint to administrators */
export function accountNotFound(name: string, meant?: string): Refusal {
  return new Refusal('account-not-found', `there is no account of "${name}"`, { name, meant })
}
